import type { Activity, Quota } from '#ports/stores/admission.ts'
import type { RateLimits } from '#ports/stores/agents.ts'
import { CLOCK_STEP_MS, DAY_MS, MINUTE_MS } from '../../durations.ts'

type Charge =
  | { readonly kind: 'charged'; readonly quota: Quota; readonly used: Used }
  | { readonly kind: 'limited'; readonly quota: Quota; readonly retryAt: number }

/** The usage in the current minute and day. */
type Used = Pick<Activity, 'minuteStart' | 'minuteUsed' | 'dayStart' | 'dayUsed'>

/**
 * Charges one request to the minute and the day together, or to neither. Windows are aligned to UTC. The newest
 * window seen holds, so that a clock that steps back refills nothing, unless it stepped back by minutes.
 */
export function charge(activity: Used | undefined, limits: RateLimits, now: number): Charge {
  const minute = presentWindow(activity?.minuteStart, activity?.minuteUsed, now, MINUTE_MS)
  const day = presentWindow(activity?.dayStart, activity?.dayUsed, now, DAY_MS)
  const isLimited = minute.used >= limits.rpm || day.used >= limits.rpd
  const charged = isLimited ? 0 : 1
  const quota: Quota = {
    limits,
    usedMinute: minute.used + charged,
    usedDay: day.used + charged,
    minuteEndsAt: minute.start + MINUTE_MS,
    dayEndsAt: day.start + DAY_MS,
  }
  if (isLimited) {
    // A limit of 0 never refills; the end of the day is the next moment at which asking again makes sense.
    const isForToday = day.used >= limits.rpd || limits.rpm === 0
    return { kind: 'limited', quota, retryAt: isForToday ? quota.dayEndsAt : quota.minuteEndsAt }
  }
  const used = {
    minuteStart: minute.start,
    minuteUsed: quota.usedMinute,
    dayStart: day.start,
    dayUsed: quota.usedDay,
  }
  return { kind: 'charged', quota, used }
}

function presentWindow(start: number | undefined, used: number | undefined, now: number, lengthMs: number) {
  const current = now - (now % lengthMs)
  if (start === undefined || used === undefined || start < current || start > now + CLOCK_STEP_MS) {
    return { start: current, used: 0 }
  }
  return { start, used }
}

export const remaining = ({ limits, usedMinute, usedDay }: Quota) => ({
  rpm: Math.max(0, limits.rpm - usedMinute),
  rpd: Math.max(0, limits.rpd - usedDay),
})

/** Seconds to wait, rounded up, at least 1. */
export const secondsUntil = (moment: number, now: number): number =>
  Math.max(1, Math.ceil((moment - now) / 1000))
