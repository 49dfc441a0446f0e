/** Keeps questions away from an endpoint that fails, and lets one through at a time to see whether it is back. */
export type Breaker = {
  /** Whether a question may be asked now. A breaker that has opened lets one through, and no other until it is decided. */
  ready(now: number): boolean
  /** Takes the one place there is while the breaker is open. Only after `ready`. */
  enter(): void
  succeed(): void
  fail(now: number): void
  /** The endpoint itself asks to be left alone for so long. Nothing ends that but time, also what it answers meanwhile. */
  pause(now: number, ms: number): void
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
  let pause = { from: 0, until: 0 }

  const openFor = () =>
    failures < failuresToOpen ? 0 : Math.min(maxOpenMs, openMs * 2 ** (failures - failuresToOpen))
  // A clock that steps back must not keep the endpoint out for longer.
  const leftOf = (from: number, until: number, now: number) => (now < from ? 0 : Math.max(0, until - now))
  const waitMs = (now: number): number => {
    const paused = leftOf(pause.from, pause.until, now)
    return openedAt === undefined ? paused : Math.max(paused, leftOf(openedAt, openedAt + openFor(), now))
  }

  return {
    ready(now) {
      return waitMs(now) === 0 && (openedAt === undefined || !probing)
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
    pause(now, ms) {
      // Two may have been refused: the longer pause holds, unless the clock was set back since.
      pause = { from: now, until: now < pause.from ? now + ms : Math.max(pause.until, now + ms) }
      openedAt ??= now
    },
    release() {
      probing = false
    },
    failures: () => failures,
    waitMs,
  }
}
