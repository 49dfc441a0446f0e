import { wrongField } from '../../../fault.ts'
import { shareRoom } from '../shares/share-room.ts'
import {
  belowSmallestStake,
  checkKeepLiquid,
  coinsHeldBack,
  EXIT_EPOCHS,
  needsOneTransaction,
  RISK_AVERSION,
  type StakeLimits,
} from '../stake-limits.ts'
import type { StakeOptions } from '../stake-options.ts'
import { isMovable } from '../transaction-parts.ts'
import type { Existing, FieldTerms } from './allocation-field.ts'
import { notInStakes } from './allocation-refusals.ts'

export type AllocationRequest = StakeLimits & {
  readonly amount: bigint
  readonly maxValidators: number
  /** Existing stake: it stays where it is, and the sum of existing and new stake is optimised. */
  readonly existing?: Existing
  /** The principal of `existing`, without rewards; left out: there are no rewards. */
  readonly principals?: Existing
  /** Withdrawn stake that becomes liquid in time to count towards `keepLiquid`. */
  readonly atHand?: bigint
  readonly explain?: boolean
}

const NOTHING: Existing = new Map()

/** Derives the terms of a request on this market; refuses an amount that cannot be staked at all. */
export function termsOf(market: StakeOptions, request: AllocationRequest): FieldTerms {
  const { existing = NOTHING, principals, riskAversion = RISK_AVERSION.default } = request
  const whole = [...existing.values()].reduce((sum, staked) => sum + staked, request.amount)
  checkKeepLiquid(request, whole + (request.atHand ?? 0n))
  const kept = coinsHeldBack(market, request.keepLiquid, request.atHand)
  const amount = request.amount - kept
  if (amount < market.minStake) {
    throw request.amount < market.minStake
      ? belowSmallestStake(market.minStake)
      : wrongField('keepLiquid', `leaves less than ${market.minStake}, the network's smallest stake`, {
          instead: `allocate at least ${market.minStake + kept}, or set its \`withinEpochs\` to ${EXIT_EPOCHS.twoSteps}: nothing stays unstaked for that`,
        })
  }
  checkTransactions(market, request, amount)
  const total = whole - kept
  const roomOf = shareRoom(request, amount, { existing, principals })
  const risk = riskAversion / Number(total)
  return { limits: request, existing, amount, total, kept, roomOf, mustAdd: mustAddRule(request), risk }
}

/** Refuses an amount that transactions of the policy's size cannot add up to. */
function checkTransactions({ minStake }: StakeOptions, request: AllocationRequest, amount: bigint): void {
  const { mostStaked } = request
  if (mostStaked === undefined) return
  if (!isMovable(amount, { least: minStake, most: mostStaked })) throw notInStakes(minStake, mostStaked)
}

/** If all stakes must be one transaction: the largest amount allowed; undefined if the request does not exceed it. */
export function mostInOne(market: StakeOptions, request: AllocationRequest): bigint | undefined {
  const { mostStaked, amount, keepLiquid, atHand } = request
  if (mostStaked === undefined || !needsOneTransaction(request, validatorsWithStake(request).size))
    return undefined
  const most = mostStaked + coinsHeldBack(market, keepLiquid, atHand)
  return amount > most ? most : undefined
}

const validatorsWithStake = ({ existing = NOTHING, principals = existing }: AllocationRequest) =>
  new Set([...principals].flatMap(([id, amount]) => (amount > 0n ? [id] : [])))

/**
 * A policy's `minValidators`: while the caller has stake with fewer validators, a split must include a validator where
 * the caller has none yet.
 */
function mustAddRule(request: AllocationRequest) {
  const { fewest = 0 } = request
  if (fewest === 0) return undefined
  const held = validatorsWithStake(request)
  return held.size > 0 && held.size < fewest ? (validatorId: string) => !held.has(validatorId) : undefined
}
