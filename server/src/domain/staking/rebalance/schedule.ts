import { smaller } from '../../amount.ts'
import { compare } from '../../compare.ts'
import { epochsUntilActive } from '../epoch-rules.ts'
import { type BatchedStake, inEqualBatches } from '../shares/equal-batches.ts'
import { delayToLastArrival, keepsShare, stayingPrincipal } from '../shares/principal-shares.ts'
import { rewardOf } from '../solver/reward-curve.ts'
import type { StakeOptions } from '../stake-options.ts'
import { equalParts, isMovable, type TransactionSize, transactionsFor } from '../transaction-parts.ts'
import type { Moves, Outflow } from './flows.ts'
import { assuredPayout, type Exit, exitOf, NOWHERE } from './held-token.ts'
import { isTooFew, type RebalanceProblem, type Target } from './problem.ts'
import type { SwitchingCost } from './switching-rules.ts'
import { type Arrival, stakeInWaves, type WaveStake } from './waves.ts'

/** The withdrawals and stakes of a plan with their epochs. */
export type Schedule = {
  /**
   * Withdrawals requested now, lowest rate first, so that a plan that is stopped halfway has done the most useful
   * part.
   */
  readonly exits: readonly Exit[]
  /** Withdrawals that were requested earlier. */
  readonly due: readonly Exit[]
  /** In the order of their epochs. */
  readonly stakes: readonly BatchedStake[]
  /**
   * The stakes of a batch must be one transaction: made separately, the first would have too large a share of the
   * stake.
   */
  readonly needsOneTransaction: boolean
}

/** Undefined if the stakes are too large for one transaction, and several equal ones would break the policy. */
export function scheduleMoves(
  market: StakeOptions,
  problem: RebalanceProblem,
  { outflows, inflows }: Moves,
): Schedule | undefined {
  const { idle, heldBack, principalShare } = problem
  if (inflows.length === 0 && outflows.length === 0)
    return { exits: [], due: [], stakes: [], needsOneTransaction: false }
  const rate = ({ keep }: Outflow): number => rewardOf(keep.curve, Number(keep.staked)) / Number(keep.staked)
  const exits = outflows
    .toSorted((a, b) => rate(a) - rate(b) || compare(a.keep.option.validatorId, b.keep.option.validatorId))
    .flatMap(({ keep, parts }) => parts.map((part) => exitOf(part, keep.option, market)))
  const due = idle.map((part) => exitOf(part, NOWHERE, market)).sort((a, b) => a.atEpoch - b.atEpoch)
  const wanted = inflows.toSorted(
    (a, b) =>
      b.target.curve.entry - a.target.curve.entry ||
      compare(a.target.option.validatorId, b.target.option.validatorId),
  )
  const arrivals = withoutHeldBack([...exits, ...due], heldBack)
  const stakes = stakeInWaves(arrivals, wanted, market.minStake)
  // Stake that is being withdrawn does not count for shares, so staking before all coins have arrived could break
  // `maxShare`.
  const stays = stayingPrincipal(problem, outflows)
  const isKept =
    !isTooFew(problem.limits, problem.keeps) &&
    (principalShare === undefined || keepsShare(stakes, stays, principalShare))
  const later = () => stakeInWaves(delayToLastArrival(arrivals), wanted, market.minStake)
  const { isJoint } = problem
  const { mostStaked, fewest = 0 } = problem.limits
  const planned = { exits, due, needsOneTransaction: isJoint }
  const all = isKept ? stakes : later()
  if (mostStaked === undefined) return { ...planned, stakes: all }
  const size = { least: market.minStake, most: mostStaked }
  if (!isJoint) return { ...planned, stakes: all.flatMap((stake) => inEqualParts(stake, size)) }
  const batched = (some: readonly WaveStake<Target>[]) =>
    inEqualBatches(some, stays, { ...size, share: principalShare, fewest })
  const inBatches = batched(all) ?? (isKept ? batched(later()) : undefined)
  return inBatches && { ...planned, stakes: inBatches }
}

/**
 * Splits a stake into the fewest equal parts that fit into one transaction each. If a stake is too large for n
 * transactions and too small for n + 1, a part of it stays in the wallet.
 */
function inEqualParts(stake: WaveStake<Target>, size: TransactionSize): readonly WaveStake<Target>[] {
  const count = transactionsFor(stake.amount, size.most)
  const parts = isMovable(stake.amount, size)
    ? equalParts(stake.amount, count)
    : equalParts((count - 1n) * size.most, count - 1n)
  return parts.map((amount) => ({ ...stake, amount }))
}

/**
 * The mean number of epochs without rewards for a coin that moves: from its last earning epoch at the old place until
 * it is active at the new one, minus the epochs for which pending stake would have waited anyway.
 */
export function epochsLost(
  market: StakeOptions,
  { exits, stakes }: Schedule,
  { stillEarning }: SwitchingCost,
): number {
  let [staked, lost] = [0, 0]
  for (const { amount, atEpoch } of stakes) {
    staked += Number(amount)
    lost += Number(amount) * (epochsUntilActive(market, atEpoch) - stillEarning)
  }
  for (const { part } of exits) {
    const pendingFor = part.token.activationEpoch - market.epoch.number - stillEarning
    if (pendingFor > 0) lost -= Number(assuredPayout(part)) * pendingFor
  }
  return staked === 0 ? 0 : Math.max(0, lost / staked)
}

/** The coins that arrive, without the first `heldBack` of them, which stay in the wallet. */
function withoutHeldBack(exits: readonly Exit[], heldBack: bigint): readonly Arrival[] {
  let kept = 0n
  return exits
    .toSorted((a, b) => a.atEpoch - b.atEpoch)
    .map(({ part, atEpoch }) => {
      const paid = assuredPayout(part)
      const keep = smaller(paid, heldBack - kept)
      kept += keep
      return { atEpoch, amount: paid - keep }
    })
}
