import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PolicyRule } from '#ports/stores/policies.ts'
import { sampleToken } from '../../../test/support/sample-network.ts'
import { brokenRules } from './check-policy.ts'
import { type Facts, NOTHING_BUILT, type Wish, type WishItem } from './wish.ts'

const IDS = ['a', 'b', 'c', 'd'] as const
const ALL: PolicyRule = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] }
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const facts = (change: Partial<Facts> = {}): Facts => ({
  now: Date.UTC(2026, 0, 1),
  validator: () => ({ score: 50, commission: 0.1 }),
  tokens: [],
  epoch: { number: 1, endsAt: Date.UTC(2026, 0, 2) },
  ...NOTHING_BUILT,
  ...change,
})

const wish = (items: readonly WishItem[]): Wish => ({
  network: 'sandbox',
  sender: '0x1',
  items,
  isBatch: true,
})

const stake = (validatorId: string, amount: bigint): WishItem => ({
  action: 'stake',
  validatorId,
  amount,
  leavesStake: false,
  token: undefined,
})

const stakes = fc.array(
  fc
    .tuple(fc.constantFrom(...IDS), fc.bigInt({ min: 1n, max: 1_000n }))
    .map(([id, amount]) => stake(id, amount)),
  { minLength: 1, maxLength: 6 },
)
const holdings = fc
  .dictionary(fc.constantFrom(...IDS), fc.bigInt({ min: 1n, max: 1_000n }))
  .map((held) => new Map(Object.entries(held)))

const tokensOf = (held: ReadonlyMap<string, bigint>): NonNullable<Facts['tokens']> =>
  [...held].map(([validatorId, principal]) => sampleToken(validatorId, principal))

test('without the rule `actions` every action is refused', () => {
  assert.deepEqual(
    brokenRules([], wish([stake('a', 1n)]), facts()).map(({ rule }) => rule),
    ['actions'],
  )
  assert.deepEqual(brokenRules([ALL], wish([stake('a', 1n)]), facts()), [])
})

test('hours: a refused wish is allowed from `clearsAt` on, and not a millisecond earlier', () => {
  const hours = fc.record({
    rule: fc.constant('hours' as const),
    days: fc.subarray([...DAYS], { minLength: 1 }),
    from: fc.integer({ min: 0, max: 23 }),
    length: fc.integer({ min: 1, max: 24 }),
    isOvernight: fc.boolean(),
  })
  fc.assert(
    fc.property(hours, fc.integer({ min: 0, max: 4e12 }), ({ length, isOvernight, ...rule }, now) => {
      const last = isOvernight ? rule.from + Math.min(length, 23) : Math.min(24, rule.from + length)
      const rules: PolicyRule[] = [ALL, { ...rule, to: last > 24 ? last - 24 : last }]
      const brokenAt = (moment: number) => brokenRules(rules, wish([stake('a', 1n)]), facts({ now: moment }))
      const day = new Date(now)
      const isOpen = [0, 1].some((ago) => {
        const hour = day.getUTCHours() + 24 * ago
        return (
          rule.days.includes(DAYS[(day.getUTCDay() + 6 - ago + 7) % 7] ?? 'mon') &&
          hour >= rule.from &&
          hour < last
        )
      })
      const [breach] = brokenAt(now)
      assert.equal(breach === undefined, isOpen)
      if (!breach) return
      assert(breach.clearsAt !== undefined && breach.clearsAt > now)
      assert.deepEqual(brokenAt(breach.clearsAt), [])
      assert.equal(brokenAt(breach.clearsAt - 1).length, 1)
    }),
  )
})

test('maxShare: refused exactly if a validator that receives stake exceeds its share afterwards', () => {
  fc.assert(
    fc.property(stakes, holdings, fc.integer({ min: 1, max: 100 }), (items, held, percent) => {
      const rules: PolicyRule[] = [ALL, { rule: 'maxShare', share: percent / 100 }]
      const after = new Map<string, bigint>(held)
      for (const { validatorId, amount } of items)
        after.set(validatorId, (after.get(validatorId) ?? 0n) + amount)
      const total = [...after.values()].reduce((sum, amount) => sum + amount, 0n)
      const amounts = items.map(({ validatorId }) => Number(after.get(validatorId) ?? 0n))
      const largest = BigInt(Math.max(...amounts))
      const isBroken = brokenRules(rules, wish(items), facts({ tokens: tokensOf(held) })).length > 0
      // Tolerance: a share is rounded up by less than two units.
      if (largest * 100n <= total * BigInt(percent)) assert(!isBroken)
      if ((largest - 2n) * 100n >= total * BigInt(percent)) assert(isBroken)
    }),
  )
})

test('adding a rule never removes a breach', () => {
  const rule = fc.constantFrom<PolicyRule>(
    { rule: 'maxPerTx', amount: '500', actions: ['stake'] },
    { rule: 'validators', deny: ['a'] },
    { rule: 'validators', allow: ['a', 'b'] },
    { rule: 'minValidators', validators: 2 },
    { rule: 'maxShare', share: 0.6 },
    { rule: 'minScore', score: 60 },
    { rule: 'paused' },
  )
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 5 }), rule, stakes, holdings, (rules, more, items, held) => {
      const count = (list: readonly PolicyRule[]) =>
        brokenRules([ALL, ...list], wish(items), facts({ tokens: tokensOf(held) })).length
      assert(count([...rules, more]) >= count(rules))
    }),
  )
})
