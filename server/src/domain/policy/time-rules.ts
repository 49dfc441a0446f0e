import type { PolicyRevision, RuleOf } from '#ports/stores/policies.ts'
import { DAY_MS, dayOf, HOUR_MS } from '../../durations.ts'
import type { Found } from './wish.ts'

/** Rules about time. All hours and days are UTC. */

/** The first of January 1970 was a Thursday. */
const WEEK = ['thu', 'fri', 'sat', 'sun', 'mon', 'tue', 'wed'] as const

type Hours = RuleOf<'hours'>

/** Whether the hours begin on this day. */
const isOn = ({ days }: Hours, day: number): boolean =>
  days.includes(WEEK[(day + WEEK.length) % WEEK.length] ?? 'thu')

const opensAt = ({ from }: Hours, day: number): number => day * DAY_MS + from * HOUR_MS

/**
 * The hour at which they end, counted from the start of the day on which they begin: above 24 for hours over
 * midnight.
 */
export const lastHour = ({ from, to }: Hours): number => (to > from ? to : to + 24)

const closesAt = (rule: Hours, day: number): number => day * DAY_MS + lastHour(rule) * HOUR_MS

/** The day on which the currently open hours began; undefined: closed. */
const openSince = (rule: Hours, now: number): number | undefined =>
  [dayOf(now) - 1, dayOf(now)].find(
    (day) => isOn(rule, day) && now >= opensAt(rule, day) && now < closesAt(rule, day),
  )

export function brokenByHours(rule: Hours, now: number): readonly Found[] {
  if (openSince(rule, now) !== undefined) return []
  const { days, from, to } = rule
  const next = [0, 1, 2, 3, 4, 5, 6, 7]
    .map((later) => dayOf(now) + later)
    .find((day) => isOn(rule, day) && opensAt(rule, day) > now)
  return [
    {
      limit: `${days.join(', ')} from ${from} to ${to} h UTC${to > from ? '' : ' of the next day'}`,
      actual: new Date(now).toISOString(),
      clearsAt: next === undefined ? undefined : opensAt(rule, next),
    },
  ]
}

export function brokenByExpiry(at: string, now: number): readonly Found[] {
  if (now < Date.parse(at)) return []
  return [{ limit: `before ${at}`, actual: new Date(now).toISOString(), clearsAt: undefined }]
}

type Held = readonly Pick<PolicyRevision, 'document' | 'holdsUntil'>[]

/** Search limit: once all revisions except the newest have ended, hours repeat every week. */
const ALL_SEEN_MS = 8 * DAY_MS

/**
 * The first moment from `from` on at which no rule about time of a revision in force at that moment forbids builds.
 */
export function nextAllowed(held: Held, from: number): number | undefined {
  const last = Math.max(from, ...held.map(({ holdsUntil = from }) => holdsUntil)) + ALL_SEEN_MS
  let moment = from
  while (moment <= last) {
    const next = Math.max(...held.map((each) => allowedByOne(each, moment)))
    if (next <= moment) return moment
    moment = next
  }
  return undefined
}

function allowedByOne({ document, holdsUntil = Number.POSITIVE_INFINITY }: Held[number], at: number): number {
  if (holdsUntil <= at) return at
  const broken = document.rules.flatMap((rule) => {
    if (rule.rule === 'hours') return brokenByHours(rule, at)
    return rule.rule === 'expires' ? brokenByExpiry(rule.at, at) : []
  })
  const clears = broken.map(({ clearsAt = Number.POSITIVE_INFINITY }) => clearsAt)
  return Math.min(holdsUntil, Math.max(at, ...clears))
}

/** The time at which the currently open hours end. */
function hoursEndAt(rule: Hours, now: number): number {
  const first = openSince(rule, now) ?? dayOf(now)
  if (rule.from > 0 || rule.to < 24) return closesAt(rule, first)
  const closed = WEEK.map((_, later) => first + later).find((day) => !isOn(rule, day))
  return closed === undefined ? Number.POSITIVE_INFINITY : closed * DAY_MS
}

/** The time at which a rule about time forbids builds again, without rules whose revision has ended by then. */
export function allowedUntil(held: Held, now: number): number {
  const ends = held.flatMap(({ document, holdsUntil = Number.POSITIVE_INFINITY }) =>
    document.rules
      .flatMap((rule) => {
        if (rule.rule === 'hours') return hoursEndAt(rule, now)
        return rule.rule === 'expires' ? Date.parse(rule.at) : []
      })
      .filter((endsAt) => endsAt < holdsUntil),
  )
  return Math.min(...ends)
}
