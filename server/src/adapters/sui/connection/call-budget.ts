/** refresh: what the service reads to stay up to date, bounded by its own rhythm · request: on behalf of a caller. */
export type Purpose = 'refresh' | 'request'

/**
 * How many calls a node is asked in the time that its limit counts. Requests have a part of it: however many there are,
 * the rest stays for the refresh.
 */
export type CallBudget = {
  /** How long until a conversation for this purpose may begin; 0 when it may now. */
  waitMs(purpose: Purpose, now: number): number
  /** Books what a conversation usually takes. Only after `waitMs` was 0. */
  enter(purpose: Purpose): CallTicket
}

export type CallTicket = {
  /** Counts a call; false, and nothing is counted, when a request has no room for it. */
  take(now: number): boolean
  /** Whether a call was refused. */
  isRefused(): boolean
  /** Gives back what was booked and not used. */
  leave(): void
}

export type CallLimits = {
  readonly callsPerWindow: number
  readonly callWindowMs: number
  readonly requestShare: number
}

/** What a read of an address takes, so that one which has begun is seldom stopped half way. */
const BOOKED = 8
/** How long to wait for conversations that are under way, which may not need all they have booked. */
const UNDER_WAY_MS = 1_000

export function makeCallBudget({ callsPerWindow, callWindowMs, requestShare }: CallLimits): CallBudget {
  const mostOfRequests = Math.max(1, Math.floor(callsPerWindow * requestShare))
  const usual = Math.min(BOOKED, mostOfRequests)
  const ofRequests = trailingCalls(callWindowMs)
  const ofAll = trailingCalls(callWindowMs)
  let booked = 0
  const waitFor = (calls: number, now: number) =>
    Math.max(ofRequests.waitMs(calls, mostOfRequests, now), ofAll.waitMs(calls, callsPerWindow, now))

  return {
    waitMs(purpose, now) {
      if (purpose === 'refresh' || waitFor(booked + usual, now) === 0) return 0
      return Math.max(UNDER_WAY_MS, waitFor(usual, now))
    },
    enter(purpose) {
      const isRequest = purpose === 'request'
      let left = isRequest ? usual : 0
      let isRefused = false
      booked += left
      return {
        take(now) {
          isRefused = isRequest && left === 0 && waitFor(booked + 1, now) > 0
          if (isRefused) return false
          const used = Math.min(1, left)
          left -= used
          booked -= used
          if (isRequest) ofRequests.add(now)
          ofAll.add(now)
          return true
        },
        isRefused: () => isRefused,
        leave() {
          booked -= left
          left = 0
        },
      }
    },
  }
}

/** The calls of the trailing window, by their time. A clock that is set back makes nobody wait for longer. */
function trailingCalls(windowMs: number) {
  const times: number[] = []
  function forget(now: number): void {
    const first = times.findIndex((at) => Math.abs(now - at) < windowMs)
    times.splice(0, first < 0 ? times.length : first)
  }
  return {
    add(now: number): void {
      forget(now)
      times.push(now)
    },
    /** How long until so many more keep within `most`. */
    waitMs(calls: number, most: number, now: number): number {
      forget(now)
      const over = times.length + calls - most
      if (over <= 0) return 0
      const last = times[Math.min(over, times.length) - 1] ?? now
      return Math.min(windowMs, Math.max(1, last + windowMs - now))
    },
  }
}
