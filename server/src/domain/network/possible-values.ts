import type {
  ActiveSet,
  ChainSnapshot,
  EpochRecord,
  RewardShape,
  SystemInfo,
  TokenInfo,
  Validator,
  ValidatorFacts,
  ValidatorStatus,
} from '#ports/chain/staking-chain.ts'
import { MAX_U64 } from '../../basics/u64.ts'

/** Ranges of single values that hold on every chain. Comparisons between values are in plausibility.ts. */

const U128_MAX = 2n ** 128n - 1n
const MAX_DECIMALS = 18
const MAX_SHARDS = 65_535
const MAX_NAME = 256
const MAX_TEXT = 2_048
const STATUSES: readonly ValidatorStatus[] = ['candidate', 'pending', 'active', 'leaving', 'inactive']

const OBJECT_ID = /^0x[0-9a-f]{64}$/
const PACKAGE_ID = /^0x[0-9a-f]{1,64}$/
const TYPE = /^0x[0-9a-f]{1,64}::\w{1,64}::\w{1,64}$/
const VERSION = /^\d{1,20}$/
const WORD = /^[!-~]{1,64}$/
const CONTROL = /\p{Cc}/u

export const isWhole = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
const isAmount = (value: bigint): boolean => value >= 0n && value <= MAX_U64
const isBps = (value: number): boolean => isWhole(value) && value <= 10_000

export const isPossibleChain = ({ chainId, chainName }: ChainSnapshot): boolean =>
  WORD.test(chainId) && WORD.test(chainName)

export const isPossibleToken = ({ symbol, decimals, coinType, stakedTokenType, minStake }: TokenInfo) =>
  WORD.test(symbol) &&
  isWhole(decimals) &&
  decimals <= MAX_DECIMALS &&
  TYPE.test(coinType) &&
  TYPE.test(stakedTokenType) &&
  isAmount(minStake) &&
  minStake > 0n

export const isPossibleSystem = (system: SystemInfo): boolean =>
  OBJECT_ID.test(system.objectId) &&
  PACKAGE_ID.test(system.packageId) &&
  VERSION.test(system.initialSharedVersion) &&
  isAmount(system.minValidatorJoiningStake) &&
  isAmount(system.minValidatorStake) &&
  (system.activeSet === undefined || isPossibleSet(system.activeSet))

const isPossibleSet = ({ members, minMembers, maxMembers, changesLeft = 0 }: ActiveSet): boolean =>
  [members, minMembers, maxMembers, changesLeft].every(isWhole) && minMembers <= maxMembers

export function areRewardsPossible(perEpoch: bigint, shape: RewardShape): boolean {
  if (!isAmount(perEpoch)) return false
  if (shape.kind === 'equal-share') return true
  if (shape.kind !== 'proportional' || !(shape.capShare > 0 && shape.capShare <= 1)) return false
  const { shards = 1 } = shape
  return isWhole(shards) && shards > 0 && shards <= MAX_SHARDS
}

export function isPossibleValidator(validator: Validator, nextCommitteeSelected: boolean): boolean {
  const { stake, nextStake, pendingStake, withdrawingStake, claimableStake = 0n } = validator
  const coming = stake + pendingStake - withdrawingStake
  const amounts = [stake, pendingStake, withdrawingStake, claimableStake, validator.unclaimedRewards]
  return (
    OBJECT_ID.test(validator.id) &&
    validator.name.length <= MAX_NAME &&
    !CONTROL.test(validator.name) &&
    STATUSES.includes(validator.status) &&
    amounts.every(isAmount) &&
    isAmount(nextStake) &&
    nextStake === (coming > 0n ? coming : 0n) &&
    isBps(validator.commissionBps) &&
    isBps(validator.nextCommissionBps) &&
    (validator.inNextCommittee !== undefined) === nextCommitteeSelected &&
    areFactsPossible(validator.facts ?? {})
  )
}

function areFactsPossible(facts: ValidatorFacts): boolean {
  const { commissionChangesAt = 0, votingPower = 0, shards = 0, reportedBy = 0, atRiskEpochs = 0 } = facts
  const { storagePrice = 0n, writePrice = 0n, nodeCapacity = 0n } = facts.votes ?? {}
  const { description = '', imageUrl = '', projectUrl = '' } = facts
  return (
    [commissionChangesAt, shards, reportedBy, atRiskEpochs, facts.earnsUntil ?? 0].every(isWhole) &&
    isBps(votingPower) &&
    [storagePrice, writePrice, nodeCapacity].every(isAmount) &&
    [description, imageUrl, projectUrl].every((text) => text.length <= MAX_TEXT && !CONTROL.test(text))
  )
}

export const isPossibleRecord = ({ validatorId, epoch, endedAt, rate, stake, commissionBps }: EpochRecord) =>
  OBJECT_ID.test(validatorId) &&
  isWhole(epoch) &&
  isWhole(endedAt) &&
  [rate.tokens, rate.shares].every((part) => part > 0n && part <= U128_MAX) &&
  isAmount(stake) &&
  isBps(commissionBps)
