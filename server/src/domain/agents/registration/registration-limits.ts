import type { RegistrationLimit, RegistrationOutcome } from '#ports/stores/agents.ts'
import { CLOCK_STEP_MS, DAY_MS, HOUR_MS } from '../../../durations.ts'
import { Fault } from '../../../fault.ts'
import { secondsUntil } from '../../limits/window.ts'

/** The limits of successful registrations within a UTC hour or day. */
export type RegistrationQuota = {
  readonly perIpHour: number
  readonly perIpDay: number
  readonly perDay: number
}

/** The windows that a registration at this moment counts in. `ipKey` is the hash of its network address. */
export function registrationLimits(
  quota: RegistrationQuota,
  ipKey: string,
  now: number,
): readonly RegistrationLimit[] {
  return [...networkLimits(quota, ipKey, now), globalLimit(quota, '', now)]
}

/** The limits of one network. */
export function networkLimits(
  { perIpHour, perIpDay }: RegistrationQuota,
  ipKey: string,
  now: number,
): readonly RegistrationLimit[] {
  return [
    { name: 'ip-hour', key: ipKey, limit: perIpHour, ...windowAt(now, HOUR_MS) },
    { name: 'ip-day', key: ipKey, limit: perIpDay, ...windowAt(now, DAY_MS) },
  ]
}

/** The window that a sandbox key counts in, separate from the others: a sandbox key uses up no registration. */
export function sandboxKeyLimits(
  perIpHour: number,
  ipKey: string,
  now: number,
): readonly RegistrationLimit[] {
  return [{ name: 'sandbox-ip-hour', key: ipKey, limit: perIpHour, ...windowAt(now, HOUR_MS) }]
}

/** The global limit; `key` separates independent counters. */
export function globalLimit({ perDay }: RegistrationQuota, key: string, now: number): RegistrationLimit {
  return { name: 'global-day', key, limit: perDay, ...windowAt(now, DAY_MS) }
}

function windowAt(now: number, lengthMs: number) {
  const windowStart = now - (now % lengthMs)
  return { windowStart, windowEnd: windowStart + lengthMs, latestStart: now + CLOCK_STEP_MS }
}

const REACHED = {
  'ip-hour': 'Your network address has registered as many agents as it may within an hour.',
  'ip-day': 'Your network address has registered as many agents as it may within a day.',
  'global-day': 'No more agents can register themselves today.',
  'sandbox-ip-hour': 'Your network address has as many sandbox keys as it may have within an hour.',
} as const satisfies Record<RegistrationLimit['name'], string>

export function registrationRefused(
  outcome: Extract<RegistrationOutcome, { kind: 'limited' }>,
  now: number,
): Fault {
  const retryAfterSeconds = secondsUntil(outcome.retryAt, now)
  return new Fault('rate_limited', `${REACHED[outcome.by]} Try again in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
  })
}
