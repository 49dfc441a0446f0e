/** Keeps questions away from an endpoint that fails, and lets one through at a time to see whether it is back. */
export type Breaker = {
  /** Whether a question may be asked now. A breaker that has opened lets one through, and no other until it is decided. */
  ready(now: number): boolean
  /** Takes the one place there is while the breaker is open. Only after `ready`. */
  enter(): void
  succeed(): void
  /** `pauseMs`: the endpoint itself asked to be left alone for so long. */
  fail(now: number, pauseMs?: number): void
  /** The question was given up for reasons of the caller: it says nothing about the endpoint. */
  release(): void
  failures(): number
  /** How long until a question may be asked; 0 when it may be now. */
  waitMs(now: number): number
}

export type BreakerLimits = {
  readonly failuresToOpen: number
  readonly openMs: number
  readonly maxOpenMs: number
}

export function makeBreaker({ failuresToOpen, openMs, maxOpenMs }: BreakerLimits): Breaker {
  let failures = 0
  let openedAt: number | undefined
  let probing = false
  let pausedFor = 0

  const backoff = () => Math.min(maxOpenMs, openMs * 2 ** (failures - failuresToOpen))
  const openFor = () => Math.max(pausedFor, failures < failuresToOpen ? 0 : backoff())
  const waitMs = (now: number): number => {
    // A clock that steps back must not keep the endpoint out for longer.
    if (openedAt === undefined || now < openedAt) return 0
    return Math.max(0, openedAt + openFor() - now)
  }

  return {
    ready(now) {
      return openedAt === undefined || (!probing && waitMs(now) === 0)
    },
    enter() {
      probing = openedAt !== undefined
    },
    succeed() {
      failures = 0
      openedAt = undefined
      pausedFor = 0
      probing = false
    },
    fail(now, pauseMs = 0) {
      failures += 1
      probing = false
      pausedFor = pauseMs
      if (failures >= failuresToOpen || pauseMs > 0) openedAt = now
    },
    release() {
      probing = false
    },
    failures: () => failures,
    waitMs,
  }
}
