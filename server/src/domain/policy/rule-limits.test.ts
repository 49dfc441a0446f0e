import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PolicyRule } from '#ports/stores/policies.ts'
import { brokenRules } from './check-policy.ts'
import { type Facts, NOTHING_BUILT, type Wish, type WishItem } from './wish.ts'

const NOW = Date.UTC(2026, 0, 1)
const ALL: PolicyRule = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] }
const FACTS: Facts = {
  now: NOW,
  validator: (id) => (id === 'known' ? { score: 50, commission: 0.1 } : undefined),
  tokens: [],
  epoch: { number: 1, endsAt: NOW + 1 },
  ...NOTHING_BUILT,
}

const WISH: Wish = { network: 'sandbox', sender: '0x1', items: [], isBatch: false }
const STAKE: WishItem = {
  action: 'stake',
  validatorId: 'known',
  amount: 10n,
  leavesStake: false,
  token: undefined,
}

const isBroken = (rule: PolicyRule, change: Partial<WishItem> = {}): boolean =>
  brokenRules([ALL, rule], { ...WISH, items: [{ ...STAKE, ...change }] }, FACTS).length > 0

test('`maxPerTx`: the limit is allowed, one unit more is refused, other actions are not limited', () => {
  const rule: PolicyRule = { rule: 'maxPerTx', amount: '10', actions: ['stake'] }
  assert.equal(isBroken(rule, { amount: 10n }), false)
  assert.equal(isBroken(rule, { amount: 11n }), true)
  assert.equal(isBroken(rule, { amount: 11n, action: 'unstake' }), false)
})

test('`minScore` and `maxCommission`: a value equal to the limit is allowed, an unknown validator is refused', () => {
  const score = (limit: number): PolicyRule => ({ rule: 'minScore', score: limit })
  const commission = (limit: number): PolicyRule => ({ rule: 'maxCommission', commission: limit })
  for (const [rule, expected] of [
    [score(50), false],
    [score(51), true],
    [score(49), false],
    [commission(0.1), false],
    [commission(0.09), true],
    [commission(0.11), false],
  ] as const)
    assert.equal(isBroken(rule), expected, JSON.stringify(rule))
  for (const rule of [score(0), commission(1)]) {
    assert.equal(isBroken(rule, { validatorId: 'unknown' }), true)
    assert.equal(isBroken(rule, { validatorId: 'unknown', action: 'unstake' }), false, 'stake that leaves')
  }
})

test('`validators` limits where stake goes, not where it leaves', () => {
  const rules: readonly PolicyRule[] = [
    { rule: 'validators', deny: ['known'] },
    { rule: 'validators', allow: ['another'] },
  ]
  for (const rule of rules) {
    assert.equal(isBroken(rule), true)
    assert.equal(isBroken(rule, { action: 'withdraw' }), false)
  }
  assert.equal(isBroken({ rule: 'validators', allow: ['known'] }), false)
  assert.equal(isBroken({ rule: 'validators', deny: ['another'] }), false)
})

test('a breach lists up to five allowed names; more are counted', () => {
  const limitOf = (allow: string[]) => brokenRules([ALL, { rule: 'senders', allow }], WISH, FACTS)[0]?.limit
  assert.equal(limitOf(['a', 'b', 'c', 'd', 'e']), 'a, b, c, d, e')
  assert.equal(limitOf(['a', 'b', 'c', 'd', 'e', 'f']), 'one of the 6 allowed')
})
