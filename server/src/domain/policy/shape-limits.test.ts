import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PolicyRule } from '#ports/stores/policies.ts'
import { sampleNetwork, TOKEN, variedValidators } from '../../../test/support/sample-network.ts'
import { runs } from '../../../test/support/split-problems.ts'
import { Fault } from '../../fault.ts'
import { type Allocation, allocator } from '../staking/allocation.ts'
import { scoreValidators } from '../staking/scoring/score.ts'
import { gainOf } from '../staking/solver/reward-curve.ts'
import { curveAt, type StakeOption, type StakeOptions, stakeOptionsOf } from '../staking/stake-options.ts'
import { brokenRules } from './check-policy.ts'
import { limitsUnder, shapingRules } from './shape-limits.ts'
import { NOTHING_BUILT, type Wish } from './wish.ts'

const ALL: PolicyRule = { rule: 'actions', allow: ['stake'] }
/** Splits into so many parts are all tried. */
const PARTS = 6
const SHAPES = [{}, { shape: { kind: 'proportional', capShare: 0.3 } }] as const

function marketOf(count: number, seed: number, options: (typeof SHAPES)[number]): StakeOptions {
  const validators = variedValidators(count, seed).map((one) => ({ firstEpoch: 92, ...one }))
  const { snapshot, records } = sampleNetwork(validators, options)
  return stakeOptionsOf(snapshot, scoreValidators(snapshot, records))
}

type Split = ReadonlyMap<string, bigint>

/** Every way to give `parts` equal parts of the amount to the validators. */
function* splitsOf(ids: readonly string[], parts: number, size: bigint): Generator<Split> {
  const [first, ...rest] = ids
  if (first === undefined) {
    if (parts === 0) yield new Map()
    return
  }
  for (let given = 0; given <= parts; given += 1) {
    for (const split of splitsOf(rest, parts - given, size))
      yield given === 0 ? split : new Map([[first, size * BigInt(given)], ...split])
  }
}

/** Whether the check before a build lets this split through, as one transaction of a sender that holds nothing. */
function isAllowed(rules: readonly PolicyRule[], { options }: StakeOptions, split: Split): boolean {
  const wish: Wish = {
    network: 'sandbox',
    sender: '0x1',
    items: [...split].map(([validatorId, amount]) => ({
      action: 'stake',
      validatorId,
      amount,
      leavesStake: false,
      token: undefined,
    })),
    isBatch: true,
  }
  const facts = { now: 0, tokens: [], epoch: { number: 1, endsAt: 1 }, ...NOTHING_BUILT }
  const validator = (id: string) => options.find(({ validatorId }) => validatorId === id)
  return brokenRules([ALL, ...rules], wish, { ...facts, validator }).length === 0
}

/** What a split earns, less its risk: what the optimum is the largest of. */
function worthOf({ pool, options }: StakeOptions, split: Split, riskAversion: number): number {
  const total = Number([...split.values()].reduce((sum, amount) => sum + amount, 0n))
  const byId = new Map(options.map((option): [string, StakeOption] => [option.validatorId, option]))
  let worth = 0
  for (const [id, amount] of split) {
    const option = byId.get(id)
    assert(option)
    const curve = curveAt(pool, option, Number(option.stake), pool.totalStake + total)
    worth += gainOf(curve, riskAversion / total, Number(amount))
  }
  return worth
}

const ids = fc.integer({ min: 2, max: 4 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    named: fc.subarray(Array.from({ length: count }, (_, at) => `v${String(at).padStart(5, '0')}`)),
    isAllow: fc.boolean(),
  }),
)
const numbers = fc.record({
  seed: fc.nat(10_000),
  share: fc.constantFrom(0.25, 1 / 3, 0.4, 0.5, 0.7, 1),
  commission: fc.constantFrom(0.01, 0.03, 0.06, 0.2),
  score: fc.constantFrom(0, 40, 60, 80, 90),
  tokens: fc.constantFrom(6_000n, 600_000n, 60_000_000n),
  riskAversion: fc.constantFrom(0, 10, 1_000),
  options: fc.constantFrom(...SHAPES),
  kept: fc.subarray(['validators', 'minScore', 'maxCommission', 'maxShare']),
})

test('the optimum under a policy keeps it, and of all splits that keep it none is better', () => {
  let found = 0
  fc.assert(
    fc.property(ids, numbers, ({ count, named, isAllow }, more) => {
      const market = marketOf(count, more.seed, more.options)
      const rules = [
        { rule: 'validators', ...(isAllow ? { allow: named } : { deny: named }) },
        { rule: 'minScore', score: more.score },
        { rule: 'maxCommission', commission: more.commission },
        { rule: 'maxShare', share: more.share },
      ].filter(({ rule }) => more.kept.includes(rule)) as PolicyRule[]
      const amount = more.tokens * TOKEN
      const all = market.options.map(({ validatorId }) => validatorId)
      const open = market.options.flatMap(({ eligible, validatorId }) => (eligible ? [validatorId] : []))
      const { riskAversion } = more
      const request = { amount, maxValidators: count, riskAversion }
      const tried = [...splitsOf(open, PARTS, amount / BigInt(PARTS))].filter((split) =>
        isAllowed(rules, market, split),
      )
      const best = orNothing(() => allocator(market)(limitsUnder(request, shapingRules(rules), all)))
      if (!best) return assert.equal(tried.length, 0, 'refused only where nothing keeps the rules')
      const chosen = new Map(best.allocations.map((one) => [one.validatorId, one.amount]))
      assert(isAllowed(rules, market, chosen), 'it keeps the rules')
      const worth = worthOf(market, chosen, riskAversion)
      found += tried.length
      for (const split of tried) {
        const other = worthOf(market, split, riskAversion)
        assert(other <= worth + 1e-9 * Math.abs(worth), `${[...split]} is better`)
      }
    }),
    runs(300),
  )
  assert(found > 1_000, 'many were tried')
})

/** Undefined where nothing can be split under the limits. */
function orNothing(find: () => Allocation): Allocation | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
