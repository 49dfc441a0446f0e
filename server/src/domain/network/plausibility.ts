import type { ChainSnapshot, EpochRecord, Validator } from '#ports/staking-chain.ts'

const U64_MAX = 2n ** 64n - 1n
const CLOCK_TOLERANCE_MS = 60_000
const FIRST_LOAD_MAX_AGE_MS = 600_000
const MAX_VALIDATORS = 10_000
/** Per epoch that has passed, the stake of the whole network may at most double or halve. */
const MAX_STAKE_FACTOR_PER_EPOCH = 2n

/**
 * Why a snapshot must not be served, or undefined when it may. A chain node can be on another network, behind,
 * or broken; wrong data are worse than old ones.
 */
export function findProblem(
  previous: ChainSnapshot | undefined,
  next: ChainSnapshot,
  now: number,
): string | undefined {
  return (
    problemOfTime(previous, next, now) ??
    problemOfEpoch(next) ??
    problemOfValidators(next.validators) ??
    (previous && problemOfChange(previous, next))
  )
}

/** The same for history: only completed epochs, each with a rate that a staking pool can have. */
export function findProblemOfRecords(
  records: readonly EpochRecord[],
  snapshot: ChainSnapshot,
): string | undefined {
  const bad = records.find(
    (record) =>
      !Number.isSafeInteger(record.epoch) ||
      record.epoch < 0 ||
      record.epoch >= snapshot.epoch.number ||
      record.rate.tokens <= 0n ||
      record.rate.shares <= 0n ||
      !isAmount(record.stake) ||
      !isBps(record.commissionBps),
  )
  return bad && `the record of validator ${bad.validatorId} in epoch ${bad.epoch} is impossible`
}

function problemOfTime(previous: ChainSnapshot | undefined, next: ChainSnapshot, now: number) {
  if (!Number.isSafeInteger(next.checkpoint) || next.checkpoint < 0) return 'its checkpoint is not a number'
  if (next.checkpointAt > now + CLOCK_TOLERANCE_MS) return 'its checkpoint lies in the future'
  if (!previous) {
    return now - next.checkpointAt > FIRST_LOAD_MAX_AGE_MS
      ? 'its checkpoint is over 10 minutes old'
      : undefined
  }
  if (next.network !== previous.network || next.chainId !== previous.chainId) return 'it is of another chain'
  if (next.checkpoint < previous.checkpoint) return 'its checkpoint is older than the present one'
  if (next.checkpointAt < previous.checkpointAt) return 'its time is before the present one'
  if (next.epoch.number < previous.epoch.number) return 'its epoch is older than the present one'
  return undefined
}

function problemOfEpoch({ epoch, rewards, token }: ChainSnapshot) {
  if (!Number.isSafeInteger(epoch.number) || epoch.number < 0) return 'its epoch is not a number'
  if (!Number.isSafeInteger(epoch.startedAt) || epoch.startedAt < 0) return 'its epoch has no start'
  if (!Number.isSafeInteger(epoch.durationMs) || epoch.durationMs < 1) return 'its epoch has no length'
  if (!isAmount(rewards.perEpoch)) return 'its rewards are out of range'
  if (!isAmount(token.minStake)) return 'its minimum stake is out of range'
  return undefined
}

function problemOfValidators(validators: readonly Validator[]) {
  if (validators.length > MAX_VALIDATORS) return `it has over ${MAX_VALIDATORS} validators`
  if (!validators.some((validator) => validator.status === 'active')) return 'it has no active validator'
  const ids = new Set(validators.map((validator) => validator.id))
  if (ids.size !== validators.length) return 'it names a validator twice'
  const impossible = validators.find((validator) => !isPossible(validator))
  return impossible && `validator ${impossible.id} is impossible`
}

function isPossible(validator: Validator): boolean {
  const {
    stake,
    nextStake,
    pendingStake,
    withdrawingStake,
    claimableStake = 0n,
    unclaimedRewards,
  } = validator
  const amounts = [stake, nextStake, pendingStake, withdrawingStake, claimableStake, unclaimedRewards]
  return (
    /^0x[0-9a-f]{64}$/.test(validator.id) &&
    validator.name.length <= 256 &&
    amounts.every(isAmount) &&
    isBps(validator.commissionBps) &&
    isBps(validator.nextCommissionBps)
  )
}

function problemOfChange(previous: ChainSnapshot, next: ChainSnapshot) {
  const epochs = BigInt(Math.min(next.epoch.number - previous.epoch.number, 64))
  const factor = MAX_STAKE_FACTOR_PER_EPOCH ** (epochs + 1n)
  const before = totalStake(previous)
  const after = totalStake(next)
  if (after > before * factor) return 'its total stake has grown implausibly'
  if (after * factor < before) return 'its total stake has shrunk implausibly'
  return undefined
}

function totalStake(snapshot: ChainSnapshot): bigint {
  return snapshot.validators.reduce((sum, validator) => sum + validator.stake, 0n)
}

function isAmount(value: bigint): boolean {
  return value >= 0n && value <= U64_MAX
}

function isBps(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 10_000
}
