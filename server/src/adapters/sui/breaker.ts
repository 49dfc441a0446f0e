/** Keeps questions away from an endpoint that fails, and lets one through at a time to see whether it is back. */
export type Breaker = {
  /** Whether a question may be asked now. A breaker that has opened lets one through, and no other until it is decided. */
  ready(now: number): boolean
  /** Takes the one place there is while the breaker is open. Only after `ready`. */
  enter(): void
  succeed(): void
  fail(now: number): void
  /** The question was given up for reasons of the caller: it says nothing about the endpoint. */
  release(): void
  failures(): number
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

  const openFor = () => Math.min(maxOpenMs, openMs * 2 ** Math.max(0, failures - failuresToOpen))

  return {
    ready(now) {
      if (openedAt === undefined) return true
      // A clock that steps back must not keep the endpoint out for longer.
      return !probing && (now < openedAt || now - openedAt >= openFor())
    },
    enter() {
      probing = openedAt !== undefined
    },
    succeed() {
      failures = 0
      openedAt = undefined
      probing = false
    },
    fail(now) {
      failures += 1
      probing = false
      if (failures >= failuresToOpen) openedAt = now
    },
    release() {
      probing = false
    },
    failures: () => failures,
  }
}
