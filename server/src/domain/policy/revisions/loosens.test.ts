import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PolicyDocument, PolicyRule } from '#ports/stores/policies.ts'
import { brokenRules } from '../check-policy.ts'
import { type Facts, NOTHING_BUILT, type Wish, type WishItem } from '../wish.ts'
import { loosens } from './loosens.ts'

const ACTIONS = ['stake', 'unstake', 'withdraw'] as const
const ALL: PolicyRule = { rule: 'actions', allow: [...ACTIONS] }
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const IDS = ['a', 'b', 'c'] as const

const policy = (rules: readonly PolicyRule[], loosenAfterSeconds = 0): PolicyDocument => ({
  rules: [...rules],
  loosenAfterSeconds,
})

/** Each row: a rule, a stricter one (if any), and one that is not as strict. */
const CHANGES: readonly (readonly [PolicyRule, stricter: PolicyRule | undefined, looser: PolicyRule])[] = [
  [
    { rule: 'actions', allow: ['stake', 'unstake'] },
    { rule: 'actions', allow: ['stake'] },
    { rule: 'actions', allow: ['stake', 'withdraw'] },
  ],
  [
    { rule: 'networks', allow: ['sui', 'ika'] },
    { rule: 'networks', allow: ['ika'] },
    { rule: 'networks', allow: ['ika', 'walrus'] },
  ],
  [
    { rule: 'senders', allow: ['a', 'b'] },
    { rule: 'senders', allow: ['a'] },
    { rule: 'senders', allow: ['a', 'c'] },
  ],
  [
    { rule: 'recipients', allow: ['a', 'b'] },
    { rule: 'recipients', allow: ['b'] },
    { rule: 'recipients', allow: ['c'] },
  ],
  [
    { rule: 'validators', allow: ['a', 'b'], deny: ['c'] },
    { rule: 'validators', allow: ['a'], deny: ['c', 'b'] },
    { rule: 'validators', allow: ['a', 'b'] },
  ],
  [{ rule: 'validators', allow: ['a'] }, undefined, { rule: 'validators', deny: ['b'] }],
  [{ rule: 'validators', allow: ['a'] }, undefined, { rule: 'validators', allow: ['a', 'b'] }],
  [
    { rule: 'maxPerTx', amount: '10', actions: ['stake'] },
    { rule: 'maxPerTx', amount: '9', actions: ['stake', 'unstake'] },
    { rule: 'maxPerTx', amount: '11', actions: ['stake'] },
  ],
  [
    { rule: 'maxPerTx', amount: '10', actions: ['stake'] },
    undefined,
    { rule: 'maxPerTx', amount: '10', actions: ['unstake'] },
  ],
  [
    { rule: 'maxPerWindow', amount: '10', window: 'day', actions: ['stake'] },
    { rule: 'maxPerWindow', amount: '9', window: 'day', actions: ['stake'] },
    { rule: 'maxPerWindow', amount: '10', window: 'hour', actions: ['stake'] },
  ],
  [
    { rule: 'approvalAbove', amount: '10', actions: ['stake'] },
    { rule: 'approvalAbove', amount: '9', actions: ['stake'] },
    { rule: 'approvalAbove', amount: '100', actions: ['stake'] },
  ],
  [
    { rule: 'maxShare', share: 0.5 },
    { rule: 'maxShare', share: 0.4 },
    { rule: 'maxShare', share: 0.6 },
  ],
  [
    { rule: 'minScore', score: 50 },
    { rule: 'minScore', score: 60 },
    { rule: 'minScore', score: 40 },
  ],
  [
    { rule: 'maxCommission', commission: 0.1 },
    { rule: 'maxCommission', commission: 0.05 },
    { rule: 'maxCommission', commission: 0.2 },
  ],
  [
    { rule: 'minValidators', validators: 3 },
    { rule: 'minValidators', validators: 4 },
    { rule: 'minValidators', validators: 2 },
  ],
  [
    { rule: 'hours', days: ['mon', 'tue'], from: 8, to: 18 },
    { rule: 'hours', days: ['mon'], from: 9, to: 17 },
    { rule: 'hours', days: ['mon', 'wed'], from: 8, to: 18 },
  ],
  [
    { rule: 'hours', days: ['mon'], from: 8, to: 18 },
    undefined,
    { rule: 'hours', days: ['mon'], from: 7, to: 18 },
  ],
  [
    { rule: 'hours', days: ['mon'], from: 8, to: 18 },
    undefined,
    { rule: 'hours', days: ['mon'], from: 8, to: 19 },
  ],
  [
    { rule: 'hours', days: ['mon'], from: 22, to: 6 },
    { rule: 'hours', days: ['mon'], from: 23, to: 5 },
    { rule: 'hours', days: ['mon'], from: 22, to: 7 },
  ],
  [
    { rule: 'hours', days: ['mon'], from: 22, to: 6 },
    { rule: 'hours', days: ['mon'], from: 22, to: 24 },
    { rule: 'hours', days: ['mon'], from: 1, to: 6 },
  ],
  [
    { rule: 'hours', days: ['mon'], from: 20, to: 24 },
    undefined,
    { rule: 'hours', days: ['mon'], from: 20, to: 1 },
  ],
  [
    { rule: 'expires', at: '2026-06-01T00:00:00.000Z' },
    { rule: 'expires', at: '2026-05-01T00:00:00.000Z' },
    { rule: 'expires', at: '2026-06-01T00:00:00.001Z' },
  ],
]

for (const [rule, stricter, looser] of CHANGES) {
  test(`${JSON.stringify(looser)} loosens ${JSON.stringify(rule)}; a stricter or additional rule does not`, () => {
    const others = rule.rule === 'actions' ? [] : [ALL]
    const before = policy([...others, rule])
    assert.equal(loosens(before, before), false)
    if (stricter) assert.equal(loosens(before, policy([stricter, ...others])), false)
    assert.equal(loosens(before, policy([...others, looser])), true)
    if (rule.rule !== 'actions') assert.equal(loosens(before, policy(others)), true, 'it is gone')
    assert.equal(loosens(policy(others.length > 0 ? others : [rule]), before), false, 'one more')
  })
}

test('removing a pause, a shorter delay and the first `actions` rule loosen', () => {
  assert.equal(loosens(policy([ALL, { rule: 'paused' }]), policy([ALL])), true)
  const paused = policy([ALL, { rule: 'paused' }])
  assert.equal(loosens(policy([ALL]), paused), false)
  assert.equal(loosens(paused, paused), false)
  assert.equal(loosens(policy([ALL], 60), policy([ALL], 59)), true)
  assert.equal(loosens(policy([ALL], 59), policy([ALL], 60)), false)
  assert.equal(loosens(policy([]), policy([ALL])), true)
  assert.equal(loosens(policy([]), policy([{ rule: 'paused' }])), false)
  assert.equal(loosens(policy([ALL, { rule: 'maxShare', share: 0.1 }]), policy([])), false)
})

const some = <Item extends string>(items: readonly Item[]) => fc.subarray([...items], { minLength: 1 })
const amount = fc.integer({ min: 1, max: 20 }).map(String)
const rule: fc.Arbitrary<PolicyRule> = fc.oneof(
  fc.record({ rule: fc.constant('actions' as const), allow: some(ACTIONS) }),
  fc.record({ rule: fc.constant('senders' as const), allow: some(IDS) }),
  fc.record({ rule: fc.constant('validators' as const), allow: some(IDS) }),
  fc.record({ rule: fc.constant('validators' as const), deny: some(IDS) }),
  fc.record({ rule: fc.constant('validators' as const), allow: some(IDS), deny: some(IDS) }),
  fc.record({ rule: fc.constant('maxPerTx' as const), amount, actions: some(ACTIONS) }),
  fc.record({ rule: fc.constant('minScore' as const), score: fc.constantFrom(40, 50, 60) }),
  fc.record({ rule: fc.constant('maxCommission' as const), commission: fc.constantFrom(0.05, 0.1, 0.2) }),
  fc
    .record({
      rule: fc.constant('hours' as const),
      days: some(DAYS),
      from: fc.integer({ min: 0, max: 23 }),
      to: fc.integer({ min: 1, max: 24 }),
    })
    .filter(({ from, to }) => from !== to),
)
const policies = fc
  .uniqueArray(rule, { selector: (each) => each.rule, maxLength: 5 })
  .map((rules) => policy(rules))
const items: fc.Arbitrary<WishItem> = fc.record({
  action: fc.constantFrom(...ACTIONS),
  validatorId: fc.constantFrom(...IDS),
  amount: fc.bigInt({ min: 1n, max: 20n }),
  leavesStake: fc.constant(false),
  token: fc.constant(undefined),
})
const wishes: fc.Arbitrary<Wish> = fc.record({
  network: fc.constant('sandbox' as const),
  sender: fc.constantFrom(...IDS),
  items: fc.array(items, { minLength: 1, maxLength: 3 }),
  isBatch: fc.constant(true),
})

test('a change that does not loosen forbids everything that was forbidden before', () => {
  const facts = (now: number): Facts => ({
    now,
    validator: () => ({ score: 50, commission: 0.1 }),
    tokens: [],
    epoch: { number: 1, endsAt: 0 },
    ...NOTHING_BUILT,
  })
  fc.assert(
    fc.property(policies, policies, fc.array(wishes), fc.nat(10_000), (before, more, asked, hour) => {
      const at = facts(hour * 3_600_000)
      // `both` is rarely looser than `before`, `more` usually is.
      const named = new Set(before.rules.map(({ rule: name }) => name))
      const both = policy([...before.rules, ...more.rules.filter(({ rule: name }) => !named.has(name))])
      for (const after of [both, more]) {
        if (loosens(before, after)) continue
        for (const wish of asked) {
          if (brokenRules(before.rules, wish, at).length > 0)
            assert(brokenRules(after.rules, wish, at).length > 0)
        }
      }
    }),
  )
})
