import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { brokenBy } from '#domain/policy/held-policies.ts'
import { type Facts, NOTHING_BUILT, type Wish } from '#domain/policy/wish.ts'
import type { PolicyRule } from '#ports/stores/policies.ts'
import { DAY_MS, HOUR_MS } from '../../src/durations.ts'
import { wholeRuns } from '../support/repetitions.ts'

const NOW = Date.UTC(2026, 0, 1, 18)
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const ACTIONS = ['stake'] as const
/** More than a week longer than any `expires`, window or revision below lasts, because `hours` repeat every week. */
const HOURS_TRIED = 14 * 24

const WISH: Wish = {
  network: 'sandbox',
  sender: '0x1',
  items: [{ action: 'stake', validatorId: 'a', amount: 10n, leavesStake: false, token: undefined }],
  isBatch: false,
}

const inHours = (hours: number): number => NOW + hours * HOUR_MS

const hours = fc
  .record({
    days: fc.subarray([...DAYS], { minLength: 1 }),
    span: fc.uniqueArray(fc.nat(24), { minLength: 2, maxLength: 2 }),
    isOvernight: fc.boolean(),
  })
  .map(({ days, span, isOvernight }): PolicyRule => {
    const [from, to] = [Math.min(...span), Math.max(...span)]
    // Over midnight: needs at least one hour before and one after it.
    if (isOvernight && from > 0 && to < 24) return { rule: 'hours', days, from: to, to: from }
    return { rule: 'hours', days, from, to }
  })
const expires = fc
  .integer({ min: 1, max: 96 })
  .map((later): PolicyRule => ({ rule: 'expires', at: new Date(inHours(later)).toISOString() }))
const window = fc.constantFrom(5n, 10n, 15n, 25n).map(
  (amount): PolicyRule => ({
    rule: 'maxPerWindow',
    amount: String(amount),
    window: 'day',
    actions: [...ACTIONS],
  }),
)
const largest = fc.constant<PolicyRule>({ rule: 'maxPerTx', amount: '9', actions: [...ACTIONS] })
const rules = fc
  .tuple(
    fc.array(hours, { maxLength: 2 }),
    fc.array(expires, { maxLength: 1 }),
    fc.array(window, { maxLength: 2 }),
    fc.array(largest, { maxLength: 1 }),
  )
  .map((groups): PolicyRule[] => [{ rule: 'actions', allow: [...ACTIONS] }, ...groups.flat()])

/** Builds of the last 24 hours; `ago` is in hours. */
const builds = fc.array(
  fc.record({ ago: fc.integer({ min: 1, max: 23 }), amount: fc.constantFrom(5n, 10n) }),
  {
    maxLength: 4,
  },
)

function factsAt(now: number, built: readonly { readonly ago: number; readonly amount: bigint }[]): Facts {
  const moved = (at: number) =>
    built.filter(({ ago }) => inHours(-ago) > at - DAY_MS).reduce((sum, { amount }) => sum + amount, 0n)
  const nextHours = Array.from({ length: 25 }, (_, later) => now + later * HOUR_MS)
  return {
    now,
    validator: () => undefined,
    tokens: [],
    epoch: { number: 1, endsAt: NOW + DAY_MS },
    ...NOTHING_BUILT,
    used: () => ({ stake: moved(now), unstake: 0n, withdraw: 0n, join: 0n }),
    roomAt: (_, __, amount) => nextHours.find((at) => moved(now) - moved(at) >= amount),
  }
}

test('a refused request is allowed from the latest `clearsAt` of its breaches on and not before, for any rules and revisions', () => {
  const revision = fc.record({ rules, lasts: fc.integer({ min: 1, max: 96 }) })
  const game = fc.record({ newest: rules, beside: fc.array(revision, { maxLength: 2 }), builds })
  let [cleared, neverCleared] = [0, 0]
  fc.assert(
    fc.property(game, ({ newest, beside, builds: built }) => {
      const held = [
        { document: { rules: newest, loosenAfterSeconds: 0 }, holdsUntil: undefined },
        ...beside.map(({ rules: earlier, lasts }) => ({
          document: { rules: earlier, loosenAfterSeconds: 0 },
          holdsUntil: inHours(lasts),
        })),
      ]
      const brokenAt = (at: number) => {
        const inForce = held.filter(({ holdsUntil = Infinity }) => at < holdsUntil)
        return brokenBy(inForce, WISH, factsAt(at, built))
      }
      const breaches = brokenAt(NOW)
      if (breaches.length === 0) return
      const clears = breaches.map(({ clearsAt = Infinity }) => clearsAt)
      const moments = Array.from({ length: HOURS_TRIED }, (_, later) => inHours(later))
      const first = moments.find((at) => brokenAt(at).length === 0)
      assert.equal(Math.max(...clears), first ?? Infinity)
      if (first === undefined) neverCleared += 1
      else cleared += 1
    }),
    wholeRuns(400),
  )
  assert(cleared > 40 && neverCleared > 40, `${cleared} ${neverCleared}`)
})
