import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PolicyRule } from '#ports/stores/policies.ts'
import { inParts } from '../../../test/support/planning/in-parts.ts'
import { runs, wholeRuns } from '../../../test/support/repetitions.ts'
import { sampleNetwork, sampleToken, TOKEN, variedValidators } from '../../../test/support/sample-network.ts'
import { Fault } from '../../fault.ts'
import { type Allocation, allocator } from '../staking/allocation/allocation.ts'
import { scoreValidators } from '../staking/scoring/score.ts'
import { gainOf } from '../staking/solver/reward-curve.ts'
import { curveAt, type StakeOption, type StakeOptions, stakeOptionsOf } from '../staking/stake-options.ts'
import { brokenRules } from './check-policy.ts'
import { limitsUnder, shapingRules } from './shape-limits.ts'
import { NOTHING_BUILT, type Wish } from './wish.ts'

const ALL: PolicyRule = { rule: 'actions', allow: ['stake'] }
/** The brute force tries all splits into this many parts. */
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

/** Whether all stakes must be one transaction, because the first stake alone may break a rule about holdings. */
const isJoint = (rules: readonly PolicyRule[], held: Split): boolean =>
  rules.some(
    (one) =>
      (one.rule === 'maxShare' && one.share < 1) ||
      (one.rule === 'minValidators' && one.validators > Math.max(1, held.size)),
  )

/**
 * Oracle: whether the check before each build allows this split, one transaction after the other. All stakes are one
 * transaction if they must be (`isJoint`); otherwise each is its own, divided if it exceeds `maxPerTx`.
 */
function isAllowed(
  rules: readonly PolicyRule[],
  { options, minStake }: StakeOptions,
  { held, split }: { readonly held: Split; readonly split: Split },
): boolean {
  const limit = rules.find((one) => one.rule === 'maxPerTx')
  const most = limit ? BigInt(limit.amount) : undefined
  const stakes = [...split].map(([validatorId, amount]) => {
    const parts = most === undefined || isJoint(rules, held) ? 1n : (amount + most - 1n) / most
    return inParts(amount, parts).map(
      (part) =>
        ({ action: 'stake', validatorId, amount: part, leavesStake: false, token: undefined }) as const,
    )
  })
  const tokens = [...held].map(([validatorId, principal]) => sampleToken(validatorId, principal))
  const validator = (id: string) => options.find(({ validatorId }) => validatorId === id)
  const transactions = isJoint(rules, held) ? [stakes.flat()] : stakes.flat().map((item) => [item])
  return transactions.every((items) => {
    const wish: Wish = { network: 'sandbox', sender: '0x1', items, isBatch: true }
    const facts = { now: 0, tokens: [...tokens], epoch: { number: 1, endsAt: 1 }, ...NOTHING_BUILT }
    tokens.push(...items.map(({ validatorId, amount }) => sampleToken(validatorId, amount)))
    return (
      items.every(({ amount }) => amount >= minStake) &&
      brokenRules([ALL, ...rules], wish, { ...facts, validator }).length === 0
    )
  })
}

const sumOf = (split: Split): bigint => [...split.values()].reduce((sum, amount) => sum + amount, 0n)

/** The objective that the optimum maximises: the rewards that a split adds, less the price of risk. */
function worthOf(
  { pool, options }: StakeOptions,
  { held, split }: { readonly held: Split; readonly split: Split },
  riskAversion: number,
): number {
  const added = sumOf(split)
  const risk = riskAversion / Number(sumOf(held) + added)
  const byId = new Map(options.map((option): [string, StakeOption] => [option.validatorId, option]))
  let worth = 0
  for (const [id, amount] of split) {
    const option = byId.get(id)
    assert(option)
    const before = held.get(id) ?? 0n
    const curve = curveAt(pool, option, Number(option.stake - before), pool.totalStake + Number(added))
    worth += gainOf(curve, risk, Number(before + amount)) - gainOf(curve, risk, Number(before))
  }
  return worth
}

const ids = fc.integer({ min: 2, max: 4 }).chain((count) => {
  const all = Array.from({ length: count }, (_, at) => `v${String(at).padStart(5, '0')}`)
  return fc.record({
    count: fc.constant(count),
    named: fc.subarray(all),
    isAllow: fc.boolean(),
    holders: fc.subarray(all, { maxLength: 2 }),
  })
})
const numbers = fc.record({
  seed: fc.nat(10_000),
  share: fc.constantFrom(0.25, 1 / 3, 0.4, 0.5, 0.7, 1),
  commission: fc.constantFrom(0.01, 0.03, 0.06, 0.2),
  score: fc.constantFrom(0, 40, 60, 80, 90),
  perTx: fc.constantFrom(2n, 3n, 4n, 6n),
  fewest: fc.integer({ min: 1, max: 4 }),
  tokens: fc.constantFrom(6_000n, 60_000n, 600_000n, 60_000_000n),
  heldTokens: fc.constantFrom(1_000n, 1_000_000n),
  riskAversion: fc.constantFrom(0, 0, 10, 1_000),
  options: fc.constantFrom(...SHAPES),
  maxValidators: fc.integer({ min: 1, max: 4 }),
  kept: fc
    .tuple(
      fc.oneof(fc.constant([]), fc.subarray(['validators', 'minScore', 'maxCommission'])),
      fc.oneof(
        fc.constantFrom(['maxPerTx'], ['minValidators']),
        fc.subarray(['maxShare', 'maxPerTx', 'minValidators']),
      ),
    )
    .map((both) => both.flat()),
})

/** All splits into equal parts, also with a small stake added to one validator. */
function* triedSplits(open: readonly string[], amount: bigint): Generator<Split> {
  yield* splitsOf(open, PARTS, amount / BigInt(PARTS))
  for (const id of open)
    for (const first of [TOKEN, 6n * TOKEN])
      for (const split of splitsOf(open, PARTS, (amount - first) / BigInt(PARTS)))
        yield new Map([...split, [id, (split.get(id) ?? 0n) + first]])
}

test('the optimum under a policy keeps the rules and is the best of all splits that do (brute force)', () => {
  let found = 0
  const bound = { maxPerTx: 0, several: 0, minValidators: 0, named: 0 }
  fc.assert(
    fc.property(ids, numbers, ({ count, named, isAllow, holders }, more) => {
      const market = marketOf(count, more.seed, more.options)
      const amount = more.tokens * TOKEN
      const rules = [
        { rule: 'validators', ...(isAllow ? { allow: named } : { deny: named }) },
        { rule: 'minScore', score: more.score },
        { rule: 'maxCommission', commission: more.commission },
        { rule: 'maxShare', share: more.share },
        { rule: 'maxPerTx', amount: String((amount * more.perTx) / BigInt(PARTS)), actions: ['stake'] },
        { rule: 'minValidators', validators: more.fewest },
      ].filter(({ rule }) => more.kept.includes(rule)) as PolicyRule[]
      const all = market.options.map(({ validatorId }) => validatorId)
      const open = market.options.flatMap(({ eligible, validatorId }) => (eligible ? [validatorId] : []))
      const held: Split = new Map(holders.map((id) => [id, more.heldTokens * TOKEN]))
      const { riskAversion, maxValidators } = more
      const request = { amount, maxValidators, riskAversion, existing: held }
      const bestUnder = (some: readonly PolicyRule[]) =>
        orUndefined(() => allocator(market)(limitsUnder(request, shapingRules(some), all)))
      const keeps = (split: Split) => isAllowed(rules, market, { held, split })
      const tried = [...triedSplits(open, amount)].filter(
        (split) => split.size <= maxValidators && keeps(split),
      )
      const best = bestUnder(rules)
      const withoutLargest = bestUnder(rules.filter(({ rule }) => rule !== 'maxPerTx'))
      if (withoutLargest && !best) bound.maxPerTx += 1
      if (!best) {
        const limits = limitsUnder(request, shapingRules(rules), all)
        const first = suggestionOf(() => allocator(market)(limits))
        const second = first && suggestionOf(() => allocator(market)({ ...limits, ...first }))
        assert(!second || !('amount' in first), 'an amount that a refusal names is accepted')
        if (first) {
          bound.named += 1
          assert(allocator(market)({ ...limits, ...first, ...second }), 'so is what it says to ask for')
        }
        return assert.equal(tried.length, 0, 'refused only where nothing keeps the rules')
      }
      assert(withoutLargest)
      assert.deepEqual(
        splitIn(best),
        splitIn(withoutLargest),
        'a largest transaction costs nothing where the amount may be staked',
      )
      const most = rules.find((one) => one.rule === 'maxPerTx')?.amount ?? String(amount)
      for (const { amount: part, transactions } of best.allocations) {
        assert.equal(BigInt(transactions), (part + BigInt(most) - 1n) / BigInt(most))
        if (transactions > 1) bound.several += 1
      }
      assert(keeps(splitIn(best)), 'it keeps the rules')
      const worth = worthOf(market, { held, split: splitIn(best) }, riskAversion)
      found += tried.length
      for (const split of tried) {
        const other = worthOf(market, { held, split }, riskAversion)
        assert(other <= worth + 1e-9 * Math.abs(worth), `${[...split]} is better`)
      }
      const without = bestUnder(rules.filter(({ rule }) => rule !== 'minValidators'))
      if (without && !keeps(splitIn(without))) bound.minValidators += 1
    }),
    wholeRuns(400),
  )
  assert(found > 1_000, 'many were tried')
  assert(
    bound.maxPerTx > 10 && bound.several > 10 && bound.minValidators > 3 && bound.named > 10,
    `rules that shape: ${JSON.stringify(bound)}`,
  )
})

test('with maxPerTx below two smallest stakes, an amount is accepted exactly if stakes can add up to it', () => {
  const least = 200_000n * TOKEN
  const market = { ...marketOf(4, 7, {}), minStake: least }
  fc.assert(
    fc.property(
      fc.bigInt({ min: least, max: 2n * least - 1n }),
      fc.bigInt({ min: least, max: 9n * least }),
      fc.integer({ min: 1, max: 4 }),
      (most, amount, maxValidators) => {
        const rules: PolicyRule[] = [{ rule: 'maxPerTx', amount: String(most), actions: ['stake'] }]
        const count = (amount + most - 1n) / most
        const best = orUndefined(() =>
          allocator(market)(limitsUnder({ amount, maxValidators, riskAversion: 0 }, shapingRules(rules), [])),
        )
        assert.equal(best !== undefined, count * least <= amount, 'refused only where no stakes add up to it')
        if (!best) return
        assert(isAllowed(rules, market, { held: new Map(), split: splitIn(best) }))
        assert.equal(sumOf(splitIn(best)), amount)
      },
    ),
    runs(300),
  )
})

const splitIn = ({ allocations }: Allocation): Split =>
  new Map(allocations.map((one) => [one.validatorId, one.amount]))

/** The amount or the number of validators that a refusal suggests; undefined: none. */
function suggestionOf(find: () => Allocation) {
  try {
    find()
  } catch (error) {
    assert(error instanceof Fault)
    for (const { field, message } of error.details ?? []) {
      const [, most] = /^must be at most (\d+)/.exec(message) ?? []
      if (field === 'amount' && most) return { amount: BigInt(most) }
      const [, least] = /^must be at least (\d+)/.exec(message) ?? []
      if (field === 'maxValidators' && least) return { maxValidators: Number(least) }
    }
  }
  return undefined
}

/** Undefined if no split is possible under the limits. */
function orUndefined(find: () => Allocation): Allocation | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
