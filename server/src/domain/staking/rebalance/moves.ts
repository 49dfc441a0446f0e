import { smaller } from '../../amount.ts'
import type { WithdrawalPath } from '../epoch-rules.ts'
import { placeable } from '../shares/principal-shares.ts'
import type { Split } from '../solver/best-split.ts'
import { usedBy } from '../solver/capped/group-caps.ts'
import { fillSlots } from '../solver/water-fill.ts'
import type { StakeOptions } from '../stake-options.ts'
import { chooseTokens, inTransactions, type TokenLimits } from './choose-tokens.ts'
import { type Moves, type Outflow, STAY, STEP_WORTH } from './flows.ts'
import { partsAddingUp } from './freeing/leavable.ts'
import { assuredPayout, exitOf, ROUNDING, type TokenPart, tokenValue } from './held-token.ts'
import { inflowsFor } from './inflows.ts'
import { beyondLimits, type Keep, worthOfStaying } from './places/keep.ts'
import { wholeStays } from './places/whole-stays.ts'
import type { RebalanceProblem, Target } from './problem.ts'

/**
 * Turns the ideal split into moves that the network allows: whole tokens and parts it accepts, no more staked than is
 * sure to be paid out, and no step that is hardly worth its transaction. `leaves` has amounts that are known to be
 * possible sums of token parts.
 */
export function movesFor(
  market: StakeOptions,
  problem: RebalanceProblem,
  split: Split,
  leaves: ReadonlyMap<Keep, bigint> = new Map(),
): Moves {
  const chosen = split.parts.filter(({ free }) => !free).map(({ curve }) => curve)
  const targets = problem.targets.filter(({ curve }) => chosen.includes(curve))
  const outflows = outflowsFor(market, problem, split, { targets, leaves })
  const freed = [...outflows.flatMap(({ parts }) => parts), ...problem.idle]
  const paid = freed.reduce((sum, part) => sum + assuredPayout(part), -problem.heldBack)
  const funds = smaller(paid, problem.mayStake ?? paid)
  const inflows = inflowsFor(market, problem, placeable(problem, { targets, funds, outflows }))
  const mayOnlyPayOut = problem.heldBack > 0n && outflows.length > 0
  return inflows.length > 0 || mayOnlyPayOut ? { outflows, inflows } : STAY
}

function outflowsFor(
  market: StakeOptions,
  problem: RebalanceProblem,
  split: Split,
  { targets, leaves }: { readonly targets: readonly Target[]; readonly leaves: ReadonlyMap<Keep, bigint> },
): readonly Outflow[] {
  const isWorth = isWorthLeaving(problem, split)
  const makesRoom = roomMakers(problem, split, targets)
  const receiving = new Set(targets.map(({ option }) => option))
  const forced = beyondLimits(problem)
  const staysOf = wholeStays(problem, split, { targets, leaves, minStake: market.minStake })
  const { limits } = problem
  const { fewest } = limits
  let removals = market.removalsLeft
  let spare = fewest === undefined ? Infinity : problem.keeps.length - fewest
  let mayMove = problem.mayMove
  // Stake beyond the limits leaves first; the other holdings share the rest of `mayMove`. Before parts, whose amounts are
  // rounded, leave those that would not leave at all if a unit were missing.
  const isWhole = (keep: Keep): boolean => staysOf(keep) < market.minStake
  const inOrder = problem.keeps.toSorted(
    (a, b) =>
      Number(forced.has(b.option)) - Number(forced.has(a.option)) || Number(isWhole(b)) - Number(isWhole(a)),
  )
  let due = inOrder.reduce((sum, keep) => sum + dueOf(keep), 0n)
  return inOrder.flatMap((keep): Outflow[] => {
    due -= dueOf(keep)
    if (receiving.has(keep.option)) return []
    const stays = staysOf(keep)
    const mayLeave = mayMove - due > dueOf(keep) ? mayMove - due : smaller(dueOf(keep), mayMove)
    const may = { leave: mayLeave, remove: removals > 0, empty: spare > 0 }
    const { wanted, most } = leaving(market, keep, stays, may)
    if (!forced.has(keep.option) && !makesRoom(keep) && !isWorth(keep, Number(wanted))) return []
    const size = { least: market.minStake, most }
    const isKnown = leaves.has(keep) && keep.staked - stays === wanted
    const chosen = isKnown ? partsThatAddUp(keep, wanted, size) : partsOf(keep, wanted, size)
    const parts = chosen.flatMap((part) => {
      const { path } = exitOf(part, keep.option, market)
      return inTransactions(part, { least: market.minStake, most: mostTaken(limits, path) ?? part.principal })
    })
    const amount = valueIn(parts)
    if (amount <= 0n) return []
    if (takesOutOfSet(market, keep, amount)) removals--
    if (amount === keep.staked) spare--
    mayMove -= amount
    return [{ keep, amount, parts }]
  })
}

/**
 * Whether a holding shares a full group with a target: the target can get more only if stake of the holding leaves.
 */
function roomMakers({ groups }: RebalanceProblem, { parts }: Split, targets: readonly Target[]) {
  const full = groups.filter((group) => {
    const isTarget = targets.some(({ curve }) => group.members.has(curve))
    return isTarget && usedBy(group, parts) >= group.most * (1 - 1e-9)
  })
  return ({ option }: Keep): boolean => full.some(({ validatorIds }) => validatorIds.has(option.validatorId))
}

/**
 * The amount that must leave so that a holding is within its limits. Tokens with rewards cannot be split to the
 * unit.
 */
const dueOf = ({ staked, allowed }: Keep): bigint => (staked > allowed ? staked - allowed + ROUNDING : 0n)

/** The largest principal that one transaction may take by this path. A later payout needs a second transaction. */
function mostTaken(
  { mostRequested, mostWithdrawn }: RebalanceProblem['limits'],
  { kind }: WithdrawalPath,
): bigint | undefined {
  if (kind === 'withdraw_now' || mostRequested === undefined) return mostWithdrawn
  return mostWithdrawn === undefined ? mostRequested : smaller(mostRequested, mostWithdrawn)
}

/**
 * The tokens of `partsOf`, if they add up to `wanted`; otherwise any parts that do, even if several tokens are
 * split.
 */
function partsThatAddUp(keep: Keep, wanted: bigint, limits: TokenLimits): readonly TokenPart[] {
  const parts = partsOf(keep, wanted, limits)
  if (isAbout(wanted, parts)) return parts
  const others = partsAddingUp(keep.tokens, wanted, limits.least)
  return others && valueIn(others) <= limits.most ? others : parts
}

const isAbout = (wanted: bigint, parts: readonly TokenPart[]): boolean =>
  valueIn(parts) >= wanted && valueIn(parts) <= wanted + ROUNDING

const valueIn = (parts: readonly TokenPart[]): bigint =>
  parts.reduce((sum, part) => sum + tokenValue(part), 0n)

/** Tokens that are free to move leave first. */
function partsOf({ tokens, freeToMove }: Keep, wanted: bigint, limits: TokenLimits): readonly TokenPart[] {
  const most = freeToMove.reduce((sum, token) => sum + tokenValue(token), 0n)
  const first = chooseTokens(freeToMove, smaller(wanted, most), {
    ...limits,
    most: smaller(limits.most, most),
  })
  if (first.length === 0) return chooseTokens(tokens, wanted, limits)
  if (wanted <= most) return first
  const taken = valueIn(first)
  const rest = tokens.filter((token) => !freeToMove.includes(token))
  return [...first, ...chooseTokens(rest, wanted - taken, { ...limits, most: limits.most - taken })]
}

/** The most that may leave a validator, whether it may drop out of the set, and whether all of the holding may leave. */
type May = { readonly leave: bigint; readonly remove: boolean; readonly empty: boolean }

/**
 * The amount that should leave a validator, and the upper bound. A validator that falls below the joining stake is
 * removed from the set, and stake left there would earn nothing. So either enough stays to keep the validator in the
 * set, or everything leaves, if that may leave and the chain still lets the set change.
 */
function leaving(
  market: StakeOptions,
  keep: Keep,
  stays: bigint,
  may: May,
): { readonly wanted: bigint; readonly most: bigint } {
  const { staked, option } = keep
  const ideal = staked - stays
  const wanted = ideal + market.minStake > staked ? staked : ideal
  const mayEmpty = may.empty && staked <= may.leave
  if (wanted === staked && mayEmpty && (may.remove || !takesOutOfSet(market, keep, staked)))
    return { wanted, most: staked }
  const spare = option.stake - market.minValidatorStake
  const inSet = option.inSet && spare >= 0n && spare < staked ? spare : staked
  const within = smaller(may.leave, inSet)
  const most = may.empty ? within : smaller(within, staked - smallestLeft(market, keep))
  return { wanted: smaller(wanted, most), most }
}

/** The least value that must stay of a holding so that its principal is not below the smallest stake. */
function smallestLeft({ minStake }: StakeOptions, { staked, tokens }: Keep): bigint {
  const principal = tokens.reduce((sum, token) => sum + token.principal, 0n)
  return smaller(staked, (minStake * staked) / principal + 1n)
}

const takesOutOfSet = (market: StakeOptions, { option }: Keep, amount: bigint): boolean =>
  option.inSet && option.stake >= market.minValidatorStake && option.stake - amount < market.minValidatorStake

/**
 * Whether moving an amount gains enough: its value at the targets minus its present value. Its worth to the targets
 * is at least the price (their last unit) times the amount. Only if that is too little, the exact worth is computed.
 */
function isWorthLeaving({ split }: RebalanceProblem, { parts, price }: Split) {
  const { risk } = split
  const enough = STEP_WORTH * split.amount
  const arriving = parts.filter(({ free }) => !free)
  const total = arriving.reduce((sum, { amount }) => sum + amount, 0)
  const slots = arriving.map(({ curve }) => ({ curve, least: 0, most: total }))
  const arrivalOf = (amount: number): number =>
    amount > 0 ? (fillSlots(slots, amount, risk, price)?.value ?? 0) : 0
  return (keep: Keep, amount: number): boolean => {
    const held = Number(keep.staked)
    const here = worthOfStaying(keep, risk, held) - worthOfStaying(keep, risk, held - amount)
    if (price * amount - here >= enough) return true
    return arrivalOf(total) - arrivalOf(total - amount) - here >= enough
  }
}
