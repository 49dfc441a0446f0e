import type { RuleOf } from '#ports/stores/policies.ts'
import { DAY_MS, HOUR_MS } from '../../durations.ts'
import type { Found } from './wish.ts'

/** Rules about time. All hours and days are UTC. */

/** The first of January 1970 was a Thursday. */
const WEEK = ['thu', 'fri', 'sat', 'sun', 'mon', 'tue', 'wed'] as const

type Hours = RuleOf<'hours'>

export function brokenByHours({ days, from, to }: Hours, now: number): readonly Found[] {
  const today = Math.floor(now / DAY_MS)
  const opensOn = (day: number) => days.includes(WEEK[day % WEEK.length] ?? 'thu')
  const hour = (now - today * DAY_MS) / HOUR_MS
  if (opensOn(today) && hour >= from && hour < to) return []
  const first = hour < from ? today : today + 1
  const next = [0, 1, 2, 3, 4, 5, 6, 7].map((later) => first + later).find(opensOn)
  return [
    {
      limit: `${days.join(', ')} from ${from} to ${to} h UTC`,
      actual: new Date(now).toISOString(),
      clearsAt: next === undefined ? undefined : next * DAY_MS + from * HOUR_MS,
    },
  ]
}

export function brokenByExpiry(at: string, now: number): readonly Found[] {
  if (now < Date.parse(at)) return []
  return [{ limit: `before ${at}`, actual: new Date(now).toISOString(), clearsAt: undefined }]
}
