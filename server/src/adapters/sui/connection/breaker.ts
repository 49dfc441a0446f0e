/** A circuit breaker: keeps calls away from a failing endpoint, and lets one through at a time to probe it. */
export type Breaker = {
  /** Whether a call may be made now. An open breaker lets one probe through at a time. */
  ready(now: number): boolean
  /** Starts a call, which is the probe while the breaker is open. Only after `ready`. */
  enter(): void
  succeed(): void
  fail(now: number): void
  /** The endpoint asked for a pause (`Retry-After`). A later success does not end it. */
  pause(now: number, ms: number): void
  /** The caller aborted, which is no evidence about the endpoint. */
  release(): void
  failures(): number
  /** Milliseconds until a call may be made; 0: now. */
  waitMs(now: number): number
}

type BreakerLimits = {
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
      // Of two pauses the longer one applies, unless the clock was put back since.
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
