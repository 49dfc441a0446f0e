import { CALLS } from '../../../networks.ts'

/** refresh: periodic reads of the service itself · request: reads on behalf of a caller. */
export type Purpose = 'refresh' | 'request'

/**
 * The calls to a node within the window of its rate limit. Requests may use a part of them, so that the rest is
 * always left for the refresh.
 */
export type CallBudget = {
  /** How long until a conversation for this purpose may begin; 0 when it may now. */
  waitMs(purpose: Purpose, now: number): number
  /** Reserves the calls that a conversation usually takes. Only after `waitMs` was 0. */
  enter(purpose: Purpose): CallTicket
}

export type CallTicket = {
  /** Counts a call; false, and nothing is counted, when a request has no room for it. */
  take(now: number): boolean
  /** Whether a call was refused. */
  isRefused(): boolean
  /** Releases reserved calls that were not made. */
  leave(): void
}

type CallLimits = {
  readonly callsPerWindow: number
  readonly callWindowMs: number
  readonly requestShare: number
  readonly reservedCalls: number
}

/** How long to wait for conversations in progress, which may release part of their reservation. */
const UNDER_WAY_MS = 1_000

export function makeCallBudget(limits: CallLimits): CallBudget {
  const { callsPerWindow, callWindowMs, requestShare, reservedCalls } = limits
  const room = Math.min(Math.floor(callsPerWindow * requestShare), callsPerWindow - reservedCalls)
  const mostOfRequests = Math.max(1, room)
  // A request reserves the calls that reading an address takes, so that it is seldom cut off halfway.
  const usual = Math.min(CALLS.perRequest, mostOfRequests)
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

/** The calls of the trailing window. A clock that is put back does not lengthen the wait. */
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
    /** Milliseconds until `calls` more stay within `most`. */
    waitMs(calls: number, most: number, now: number): number {
      forget(now)
      const over = times.length + calls - most
      if (over <= 0) return 0
      const last = times[Math.min(over, times.length) - 1] ?? now
      return Math.min(windowMs, Math.max(1, last + windowMs - now))
    },
  }
}
