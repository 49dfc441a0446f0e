import { call, type Fault, wrongField } from '../../fault.ts'
import { larger } from '../amount.ts'
import { hasTwoSteps } from './epoch-rules.ts'
import type { StakeOption, StakeOptions } from './stake-options.ts'

/** The limits of a caller, the same for allocating and for rebalancing. */
export type StakeLimits = {
  /** Only this many validators, those with the best scores, may receive stake. */
  readonly visible?: number
  /** These receive no stake, and a plan withdraws stake from them. */
  readonly exclude?: ReadonlySet<string>
  /** These receive no stake; existing stake may stay. */
  readonly closed?: ReadonlySet<string>
  /** Validators below this score receive no stake. */
  readonly minScore?: number
  /** Validators with a higher commission, current or announced, receive no stake. A fraction. */
  readonly maxCommission?: number
  /** The largest fraction of all stake that may lie with one validator, 0…1. */
  readonly maxShare?: number
  /** `maxShare` of a policy, which counts principal only. */
  readonly principalShare?: number
  /** A policy's `maxPerTx`: the largest amount that one transaction may stake. */
  readonly mostStaked?: bigint
  /** The largest principal whose withdrawal one transaction may request, and the largest that one may withdraw. */
  readonly mostRequested?: bigint
  readonly mostWithdrawn?: bigint
  /**
   * A policy's `minValidators`: with fewer, stake may neither leave a validator nor be added to one that has some.
   */
  readonly fewest?: number
  readonly groups?: readonly StakeGroup[]
  readonly riskAversion?: number
  readonly keepLiquid?: KeepLiquid
}

/** Validators that together may have at most this fraction of all stake, for example of one operator or country. */
export type StakeGroup = {
  readonly name: string
  readonly validatorIds: ReadonlySet<string>
  readonly maxShare: number
}

/** An amount that must be withdrawable within `withinEpochs` epochs at any time. */
type KeepLiquid = { readonly amount: bigint; readonly withinEpochs: number }

/** The API's limit of `maxValidators`. */
export const MOST_VALIDATORS = 50

/** The API's range of `riskAversion`. */
export const RISK_AVERSION = { default: 10, max: 1_000 } as const

/**
 * Whether all stakes must be in one transaction, because the first of them alone would break the policy. `validators`:
 * the number of validators with stake of the owner.
 */
export const needsOneTransaction = (
  { principalShare = 1, fewest = 0 }: StakeLimits,
  validators: number,
): boolean => principalShare < 1 || (fewest > 1 && validators < fewest)

/** Whether a validator may receive stake. */
export function canReceiveStake(limits: StakeLimits): (option: StakeOption) => boolean {
  const { visible = Infinity, exclude, closed, minScore = 0, maxCommission = 1 } = limits
  return ({ eligible, rank, validatorId, score, commission }) =>
    eligible &&
    rank < visible &&
    score >= minScore &&
    commission <= maxCommission &&
    !exclude?.has(validatorId) &&
    !closed?.has(validatorId)
}

/** The amount times the share, rounded up: two halves of an odd amount can hold all of it. */
export function shareOf(amount: bigint, share: number): bigint {
  const { over, under } = ratioOf(share)
  return divideUp(amount * over, under)
}

/** The share as a fraction of whole numbers. */
export function ratioOf(share: number): { readonly over: bigint; readonly under: bigint } {
  if (share >= 1) return { over: 1n, under: 1n }
  // Floats cannot represent 1/3; a share this close to 1/n counts as 1/n.
  const parts = Math.round(1 / share)
  if (Math.abs(parts * share - 1) < 1e-12) return { over: 1n, under: BigInt(parts) }
  return decimalOf(share)
}

/**
 * A number below 1 as the decimal fraction that it prints as: 0.3 is exactly 3/10, although the float is a little
 * less.
 */
function decimalOf(part: number): { readonly over: bigint; readonly under: bigint } {
  const [digits = '', exponent = ''] = part.toExponential().split('e')
  const [whole = '', rest = ''] = digits.split('.')
  return { over: BigInt(whole + rest), under: 10n ** BigInt(rest.length - Number(exponent)) }
}

const divideUp = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by

/** The largest number of epochs between a withdrawal request and the coins. */
export const EXIT_EPOCHS = { twoSteps: 2, oneStep: 0 } as const

/**
 * The amount that must stay unstaked for `keepLiquid`, in addition to coins at hand in time. 0 if the caller can wait
 * as long as a withdrawal takes: two epochs, or none on Sui.
 */
export function coinsHeldBack(
  { network }: StakeOptions,
  keepLiquid: KeepLiquid | undefined,
  atHand = 0n,
): bigint {
  const exit = hasTwoSteps(network) ? EXIT_EPOCHS.twoSteps : EXIT_EPOCHS.oneStep
  if (!keepLiquid || keepLiquid.withinEpochs >= exit) return 0n
  return larger(0n, keepLiquid.amount - atHand)
}

/** Refuses a `keepLiquid` above the total, whatever its `withinEpochs`. */
export function checkKeepLiquid({ keepLiquid }: StakeLimits, total: bigint): void {
  if (!keepLiquid || keepLiquid.amount <= total) return
  throw wrongField('keepLiquid', `exceeds your total: its amount must be at most ${total}`, {
    fix: `Send at most ${total} smallest units as its amount: tokens times 10^\`decimals\`.`,
  })
}

/** The usual cause is an amount in whole tokens instead of smallest units, so the fix explains the units. */
export const belowSmallestStake = (minStake: bigint): Fault =>
  wrongField('amount', `must be at least ${minStake} (minStakeAmount); see ${call('metadata')}`, {
    fix: `Send at least ${minStake} smallest units as \`amount\`: tokens times 10^\`decimals\`.`,
    next: { endpoint: 'metadata' },
  })
