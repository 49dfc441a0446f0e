import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PolicyRule, RuleOf } from '#ports/stores/policies.ts'
import { DAY_MS, HOUR_MS } from '../../durations.ts'
import { allowedUntil, brokenByExpiry, brokenByHours, lastHour, nextAllowed } from './time-rules.ts'

/** Sunday is 0, as in `getUTCDay`. */
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const MONDAY = Date.UTC(2026, 5, 15)
/** All generated rules begin and end within this time. */
const HOURS_TRIED = 24 * 24

/** Oracle: whether the hour that contains this moment is open, in the simplest way. */
function isOpen({ days, from, to }: RuleOf<'hours'>, moment: number): boolean {
  const hour = new Date(moment).getUTCHours()
  const isDay = (at: number) => days.includes(DAYS[new Date(at).getUTCDay()] ?? 'sun')
  if (from < to) return isDay(moment) && hour >= from && hour < to
  return (isDay(moment) && hour >= from) || (isDay(moment - DAY_MS) && hour < to)
}

/** Few hours and days, so that ends and beginnings often coincide. */
const hour = fc.constantFrom(0, 1, 8, 23, 24)
const days = fc.oneof(
  fc.constantFrom(...DAYS).map((day) => [day]),
  fc.subarray([...DAYS], { minLength: 1 }),
)
const hours = fc
  .record({ rule: fc.constant('hours' as const), days, from: hour, to: hour })
  .filter(({ from, to }) => from < 24 && to > 0 && from !== to)
const later = fc.tuple(fc.nat(8), hour).map(([day, hours]) => day * DAY_MS + hours * HOUR_MS)
const expires = later.map((after) => ({
  rule: 'expires' as const,
  at: new Date(MONDAY + after).toISOString(),
}))
/** A moment on the hour, or a millisecond before or after. */
const moments = fc.tuple(later, fc.constantFrom(-1, 0, 1)).map(([after, beside]) => MONDAY + after + beside)
const revisions = fc
  .array(
    fc.record({
      rules: fc.array<PolicyRule>(fc.oneof(hours, expires), { maxLength: 2 }),
      endsAfter: later,
    }),
    { minLength: 1, maxLength: 2 },
  )
  .map((drawn) =>
    drawn.map(({ rules, endsAfter }, place) => ({
      document: { rules, loosenAfterSeconds: 0 },
      // The newest revision does not end.
      holdsUntil: place === 0 ? undefined : MONDAY + endsAfter,
    })),
  )
const RUNS = { numRuns: 1_000 }

const breaks = (rule: PolicyRule, at: number): boolean =>
  (rule.rule === 'hours' && !isOpen(rule, at)) || (rule.rule === 'expires' && at >= Date.parse(rule.at))

/** The moment itself and every full hour after it: rules only change at these. */
const momentsFrom = (now: number): readonly number[] => {
  const next = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS
  return [now, ...Array.from({ length: HOURS_TRIED }, (_, later) => next + later * HOUR_MS)]
}

test('`hours` are a half-open interval, and `clearsAt` is the time at which they open next', () => {
  fc.assert(
    fc.property(hours, moments, (rule, now) => {
      const [broken] = brokenByHours(rule, now)
      assert.equal(broken === undefined, isOpen(rule, now))
      if (broken)
        assert.equal(
          broken.clearsAt,
          momentsFrom(now).find((at) => isOpen(rule, at)),
        )
    }),
    RUNS,
  )
})

test('`hours` over midnight: the limit says "of the next day", and the last hour exceeds 24', () => {
  const [day, night] = [
    { rule: 'hours' as const, days: ['tue' as const], from: 8, to: 20 },
    { rule: 'hours' as const, days: ['tue' as const], from: 20, to: 8 },
  ]
  assert.deepEqual([lastHour(day), lastHour(night)], [20, 32])
  assert.equal(brokenByHours(day, MONDAY)[0]?.limit, 'tue from 8 to 20 h UTC')
  assert.equal(brokenByHours(night, MONDAY)[0]?.limit, 'tue from 20 to 8 h UTC of the next day')
})

test('`expires` forbids builds from its moment on', () => {
  const at = new Date(MONDAY).toISOString()
  assert.equal(brokenByExpiry(at, MONDAY - 1).length, 0)
  assert.equal(brokenByExpiry(at, MONDAY).length, 1)
})

test('`nextAllowed` is the first moment at which no revision in force forbids builds', () => {
  fc.assert(
    fc.property(revisions, moments, (held, now) => {
      const isAllowed = (at: number) =>
        held.every(
          ({ document, holdsUntil = Number.POSITIVE_INFINITY }) =>
            holdsUntil <= at || !document.rules.some((rule) => breaks(rule, at)),
        )
      assert.equal(nextAllowed(held, now), momentsFrom(now).find(isAllowed))
    }),
    RUNS,
  )
})

test('`allowedUntil` is the first moment at which a rule of a revision still in force forbids builds', () => {
  fc.assert(
    fc.property(revisions, moments, (held, now) => {
      const rules = held.flatMap(({ document }) => document.rules)
      fc.pre(!rules.some((rule) => breaks(rule, now)))
      const ends = held.flatMap(({ document, holdsUntil = Number.POSITIVE_INFINITY }) =>
        document.rules.map((rule) => {
          const end = momentsFrom(now).find((at) => breaks(rule, at)) ?? Number.POSITIVE_INFINITY
          return end < holdsUntil ? end : Number.POSITIVE_INFINITY
        }),
      )
      assert.equal(allowedUntil(held, now), Math.min(...ends))
    }),
    RUNS,
  )
})
