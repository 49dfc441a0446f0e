import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PolicyRule } from '#ports/stores/policies.ts'
import { wholeRuns } from '../../../test/support/repetitions.ts'
import { sampleNetwork, TOKEN, variedValidators } from '../../../test/support/sample-network.ts'
import { assumedToken, type HeldToken } from '../staking/rebalance/held-token.ts'
import { planRebalance, type RebalancePlan } from '../staking/rebalance/plan-rebalance.ts'
import { switchingCost } from '../staking/rebalance/switching-rules.ts'
import { scoreValidators } from '../staking/scoring/score.ts'
import { arriveOnTop, gainOf } from '../staking/solver/reward-curve.ts'
import { shareOf } from '../staking/stake-limits.ts'
import { curveAt, type StakeOption, type StakeOptions, stakeOptionsOf } from '../staking/stake-options.ts'
import { limitsUnder, shapingRules } from './shape-limits.ts'

/** The holding consists of this many parts; the brute force tries all ways to move them. */
const PARTS = 6
const UNIT = 10_000n * TOKEN

type Rules = {
  readonly allow: string[] | undefined
  readonly deny: string[]
  readonly score: number
  readonly commission: number
  readonly share: number
  /** 0: no such rule. */
  readonly fewest: number
  /** The largest amount that one transaction moves; undefined: no such rule. */
  readonly perTx: bigint | undefined
}

/** A plan has no more transactions of a kind than this. */
const MAX_TRANSACTIONS = 100n

/** The outcome of a plan for one validator: parts that stay and parts that arrive. */
type Place = { readonly stays: number; readonly comes: number }
type Outcome = ReadonlyMap<string, Place>

function marketOf(count: number, seed: number): StakeOptions {
  const validators = variedValidators(count, seed).map((one) => ({ firstEpoch: 92, ...one }))
  const { snapshot, records } = sampleNetwork(validators)
  return stakeOptionsOf(snapshot, scoreValidators(snapshot, records))
}

const largestTransaction = (amount: bigint): PolicyRule => ({
  rule: 'maxPerTx',
  amount: String(amount),
  actions: ['stake', 'unstake', 'withdraw'],
})

const documentOf = ({
  allow,
  deny,
  score,
  commission,
  share,
  fewest,
  perTx,
}: Rules): readonly PolicyRule[] => [
  { rule: 'validators', ...(allow ? { allow } : { deny }) },
  { rule: 'minScore', score },
  { rule: 'maxCommission', commission },
  { rule: 'maxShare', share },
  ...(fewest > 0 ? [{ rule: 'minValidators', validators: fewest } as const] : []),
  ...(perTx === undefined ? [] : [largestTransaction(perTx)]),
]

/** Oracle: implements the rules directly, not by the limits that the planner gets. */
const canReceiveStake =
  ({ allow, deny, score, commission }: Rules) =>
  (option: StakeOption): boolean =>
    option.eligible &&
    (allow === undefined ? !deny.includes(option.validatorId) : allow.includes(option.validatorId)) &&
    option.score >= score &&
    option.commission <= commission

/** Brute force: every way to keep some parts in place and move the others to permitted validators. */
function* outcomesOf(
  { options }: StakeOptions,
  held: ReadonlyMap<string, number>,
  rules: Rules,
): Generator<Outcome> {
  const most = Math.floor(rules.share * PARTS + 1e-9)
  const receives = canReceiveStake(rules)
  function* from(index: number, freed: number): Generator<Outcome> {
    const option = options[index]
    if (option === undefined) {
      if (freed === 0) yield new Map()
      return
    }
    const here = held.get(option.validatorId) ?? 0
    for (let change = -here; change <= PARTS; change += 1) {
      if (change > 0 && (!receives(option) || here + change > most)) continue
      const place = { stays: here + Math.min(0, change), comes: Math.max(0, change) }
      for (const rest of from(index + 1, freed - change))
        yield new Map([[option.validatorId, place], ...rest])
    }
  }
  for (const outcome of from(0, 0))
    if (keepsSpread(outcome, held, rules) && isBuildable(outcome, rules)) yield outcome
}

/**
 * Whether transactions of the policy's size can carry out an outcome. With a share the stakes are equal transactions,
 * so the stake that stays with a receiving validator must already be within the share.
 */
function isBuildable(outcome: Outcome, { perTx, share }: Rules): boolean {
  const places = [...outcome.values()]
  const moved = places.reduce((sum, { comes }) => sum + comes, 0)
  if (perTx === undefined || moved === 0) return true
  if (perTx < TOKEN) return false
  if (BigInt(moved) * UNIT <= perTx) return true
  const staying = places.reduce((sum, { stays }) => sum + stays, 0)
  const isWithin = ({ stays, comes }: Place) => comes === 0 || stays <= share * staying + 1e-9
  return BigInt(moved) * UNIT <= perTx * MAX_TRANSACTIONS && places.every(isWithin)
}

/** Asserts that each staking transaction keeps the share of the principal and `perTx`. Returns their number. */
function assertEachKeepsRules(
  held: ReadonlyMap<string, number>,
  { calls, steps }: RebalancePlan,
  { share, perTx }: Rules,
): number {
  const principals = new Map([...held].map(([id, parts]) => [id, BigInt(parts) * UNIT]))
  const add = (id: string, amount: bigint) => principals.set(id, (principals.get(id) ?? 0n) + amount)
  for (const { action, validatorId, amount } of steps) if (action === 'unstake') add(validatorId, -amount)
  let transactions = 0
  for (const { call } of calls) {
    if (call.kind !== 'stake' && call.kind !== 'stakes') continue
    const stakes = call.kind === 'stake' ? [call] : call.stakes
    transactions += 1
    let sum = 0n
    for (const { validatorId, amount } of stakes) {
      add(validatorId, amount)
      sum += amount
    }
    assert(perTx === undefined || sum <= perTx, `one transaction stakes ${sum}`)
    const most = shareOf(
      [...principals.values()].reduce((all, amount) => all + amount, 0n),
      share,
    )
    for (const { validatorId } of stakes)
      assert((principals.get(validatorId) ?? 0n) <= most, `${validatorId} has more than ${most}`)
  }
  return transactions
}

/** The parts above the share. A plan first minimises these, then maximises the gain. */
function beyondShare(outcome: Outcome, { share }: Rules): number {
  const above = [...outcome.values()].map(({ stays, comes }) => stays + comes - share * PARTS)
  return above.reduce((sum, parts) => (parts > 1e-9 ? sum + parts : sum), 0)
}

/** Whether enough validators keep stake after all unstakes, which come before the stakes. */
function keepsSpread(outcome: Outcome, held: ReadonlyMap<string, number>, { fewest }: Rules): boolean {
  const isMoved = [...outcome].some(([id, { stays }]) => stays < (held.get(id) ?? 0))
  return !isMoved || [...outcome.values()].filter(({ stays }) => stays > 1e-9).length >= fewest
}

/**
 * The yearly worth of an outcome. Arriving parts count less, because they arrive late; parts above the share count
 * nothing.
 */
function worthOf(
  market: StakeOptions,
  held: ReadonlyMap<string, number>,
  { share }: Rules,
  riskAversion: number,
  outcome: Outcome,
): number {
  const unit = Number(UNIT)
  const risk = riskAversion / (PARTS * unit)
  const { arrival } = switchingCost(market)
  let worth = 0
  for (const option of market.options) {
    const { stays = 0, comes = 0 } = outcome.get(option.validatorId) ?? {}
    const before = (held.get(option.validatorId) ?? 0) * unit
    const others = Math.max(1, Number(option.stake) - before)
    const curve = curveAt(market.pool, option, others, market.pool.totalStake)
    worth += gainOf(curve, risk, Math.min(stays * unit, share * PARTS * unit))
    worth += gainOf(arriveOnTop(curve, before, { arrival, risk }), risk, comes * unit)
  }
  return worth
}

/** The outcome of the steps of a plan, in parts. */
function outcomeOf(held: ReadonlyMap<string, number>, { steps }: RebalancePlan): Outcome {
  const places = new Map([...held].map(([id, stays]): [string, Place] => [id, { stays, comes: 0 }]))
  for (const { action, validatorId, amount, rewards = 0n } of steps) {
    const { stays, comes } = places.get(validatorId) ?? { stays: 0, comes: 0 }
    const parts = Number(amount + rewards) / Number(UNIT)
    places.set(
      validatorId,
      action === 'stake' ? { stays, comes: comes + parts } : { stays: stays - parts, comes },
    )
  }
  return places
}

const cases = fc.integer({ min: 2, max: 4 }).chain((count) => {
  const ids = Array.from({ length: count }, (_, at) => `v${String(at).padStart(5, '0')}`)
  return fc.record({
    count: fc.constant(count),
    seed: fc.nat(10_000),
    holders: fc.array(fc.constantFrom(...ids), { minLength: PARTS, maxLength: PARTS }),
    rules: fc.record({
      allow: fc.option(fc.subarray(ids), { nil: undefined }),
      deny: fc.subarray(ids),
      score: fc.constantFrom(0, 40, 80),
      commission: fc.constantFrom(0.03, 0.1, 1),
      share: fc.constantFrom(1 / 3, 0.5, 2 / 3, 1),
      fewest: fc.constantFrom(0, 0, 1, 2, 3, 3),
      perTx: fc.constantFrom(undefined, undefined, 2n * UNIT, UNIT, UNIT / 3n, UNIT / 50n, TOKEN - 1n),
    }),
    riskAversion: fc.constantFrom(0, 10, 1_000),
  })
})

test('a plan under a policy keeps the rules, and no permitted way to move stake exceeds its bound (brute force)', () => {
  let [moved, bound, split, tooLarge, repeated] = [0, 0, 0, 0, 0]
  fc.assert(
    fc.property(cases, ({ count, seed, holders, rules, riskAversion }) => {
      const market = marketOf(count, seed)
      const held = new Map<string, number>()
      for (const id of holders) held.set(id, (held.get(id) ?? 0) + 1)
      const tokens = holders.map(
        (validatorId, at): HeldToken =>
          assumedToken({ stakedTokenId: `t${at}`, validatorId, principal: UNIT }),
      )
      const ids = market.options.map(({ validatorId }) => validatorId)
      const limits = limitsUnder({ riskAversion }, shapingRules(documentOf(rules)), ids)
      const plan = planRebalance(market, { ...limits, tokens, maxTargets: count })
      const receives = canReceiveStake(rules)
      const optionOf = new Map(market.options.map((option) => [option.validatorId, option]))
      for (const { action, validatorId, amount } of plan.steps) {
        const option = optionOf.get(validatorId)
        assert(rules.perTx === undefined || amount <= rules.perTx, 'each step fits into a transaction')
        assert(action === 'unstake' || (option && receives(option)), `${validatorId} may not receive stake`)
      }
      const worth = (outcome: Outcome) => worthOf(market, held, rules, riskAversion, outcome)
      const bestUnder = (some: Rules) => {
        const outcomes = [...outcomesOf(market, held, some)]
        const least = Math.min(...outcomes.map((one) => beyondShare(one, some)))
        const within = outcomes.filter((one) => beyondShare(one, some) <= least + 1e-9)
        return { least, best: Math.max(...within.map(worth)) }
      }
      const { least, best } = bestUnder(rules)
      if (bestUnder({ ...rules, fewest: 0 }).best > best) bound += 1
      if (bestUnder({ ...rules, perTx: undefined }).best > best) tooLarge += 1
      const beyond = beyondShare(outcomeOf(held, plan), rules)
      const isWhole = plan.assumptions.length === 0
      assert(!isWhole || beyond <= least + 1e-6, `${beyond} parts stay above the share instead of ${least}`)
      const slack = 1e-6 * Math.abs(best)
      const most = (plan.certificate.bound / 100) * PARTS * Number(UNIT)
      assert(most >= best - slack, `${best} is above the bound of ${most}`)
      if (plan.summary.recommendation === 'hold') return
      moved += 1
      const transactions = assertEachKeepsRules(held, plan, rules)
      if (rules.share < 1 && transactions > 1) repeated += 1
      assert(isWhole || transactions === 1, 'it says that one transaction is all')
      if (rules.perTx !== undefined && rules.perTx < UNIT) split += 1
      assert(keepsSpread(outcomeOf(held, plan), held, rules), 'enough validators are left')
      const reached = worth(outcomeOf(held, plan))
      const gap = plan.certificate.gap * Math.abs(best)
      assert(reached >= best - gap - slack, `${reached} is less than ${best}`)
    }),
    wholeRuns(200),
  )
  assert(moved > 10, `${moved} plans moved something`)
  assert(bound > 3, `a least number of validators has cost something in ${bound}`)
  assert(split > 3, `${split} plans take tokens in parts`)
  assert(repeated > 3, `${repeated} plans under a share stake by several transactions`)
  assert(tooLarge > 3, `a largest transaction has cost something in ${tooLarge}`)
})

test('a plan limited to a single staking transaction states that as an assumption and moves what fits into it', () => {
  const market = marketOf(3, 1)
  const [first = '', second = '', third = ''] = market.options.map(({ validatorId }) => validatorId)
  // Until the moved stake arrives, the first validator has all of the stake, so it may receive nothing before the
  // others.
  const tokens = [first, first, second, second, second, second].map(
    (validatorId, at): HeldToken => assumedToken({ stakedTokenId: `t${at}`, validatorId, principal: UNIT }),
  )
  const planUnder = (perTx: bigint) => {
    const rules: readonly PolicyRule[] = [{ rule: 'maxShare', share: 0.5 }, largestTransaction(perTx)]
    const limits = limitsUnder({ exclude: new Set([second]) }, shapingRules(rules), [first, second, third])
    return planRebalance(market, { ...limits, tokens, maxTargets: 3 })
  }
  const stakedBy = ({ calls }: RebalancePlan) =>
    calls.flatMap(({ call }) => (call.kind === 'stakes' || call.kind === 'stake' ? [call] : []))
  const whole = planUnder(4n * UNIT)
  assert.deepEqual([stakedBy(whole).length, whole.assumptions.length], [1, 0])
  const cut = planUnder(2n * UNIT)
  assert.equal(stakedBy(cut).length, 1)
  assert.match(cut.assumptions.join(), /one transaction/)
  assert(cut.certificate.gap > 0 && cut.certificate.bound >= whole.certificate.value - 1e-9)
})
