import type { ChainSnapshot, EpochRecord, NetworkName, Validator } from '#ports/chain/staking-chain.ts'
import { CLOCK_TOLERANCE_MS, replacesFuture } from '../../basics/future-snapshot.ts'
import { YEAR_MS } from '../../durations.ts'
import {
  areRewardsPossible,
  isPossibleChain,
  isPossibleRecord,
  isPossibleSystem,
  isPossibleToken,
  isPossibleValidator,
  isWhole,
} from './possible-values.ts'

const FIRST_LOAD_MAX_AGE_MS = 600_000
const MAX_VALIDATORS = 10_000
const MAX_EPOCH = 2 ** 32 - 1
/** How much earlier than announced an epoch may begin. */
const EARLY_MS = 600_000
/** Sui makes about five a second. */
const MAX_CHECKPOINTS_PER_SECOND = 100
/**
 * Average since the start of Sui: an upper bound for the first checkpoint, which has no predecessor to compare
 * with.
 */
const MAX_AVERAGE_PER_SECOND = 20
const SUI_BEGAN_AT = Date.UTC(2023, 0, 1)
const CHECKPOINTS_AT_ONCE = 1_000
/** With each epoch, the stake of the whole network may at most double or halve. */
const MAX_STAKE_FACTOR_PER_EPOCH = 2n

type Known = {
  /** The expected network. */
  readonly network: NetworkName
  /** The snapshot that is served now. */
  readonly previous: ChainSnapshot | undefined
  /** The network's stake when the epoch of `previous` was first seen; left out: that of `previous`. */
  readonly stakeOfEpoch?: bigint | undefined
  readonly now: number
}

/**
 * The reason why a snapshot must not be served; undefined if it may. A chain node can be on another network, behind,
 * or broken; wrong data are worse than old data.
 */
export function findProblem(next: ChainSnapshot, known: Known): string | undefined {
  const { network, previous, now } = known
  if (next.network !== network) return 'it is of another network'
  return (
    problemOfTime(next, now) ??
    problemOfEpoch(next) ??
    problemOfConstants(next) ??
    problemOfValidators(next) ??
    (previous ? problemAfter(previous, next, known) : problemOfFirst(next, now))
  )
}

/** The same for records: only completed epochs, each once, with a possible exchange rate. */
export function findProblemOfRecords(
  records: readonly EpochRecord[],
  { epoch, checkpointAt }: ChainSnapshot,
): string | undefined {
  const seen = new Set<string>()
  for (const record of records) {
    const name = `the record of validator ${record.validatorId} in epoch ${record.epoch}`
    if (!isPossibleRecord(record)) return `${name} is impossible`
    if (record.epoch >= epoch.number) return `${name} is of an epoch that is not over`
    if (record.endedAt > checkpointAt + epoch.durationMs) return `${name} ends in the future`
    const key = `${record.validatorId}/${record.epoch}`
    if (seen.has(key)) return `${name} comes twice`
    seen.add(key)
  }
  return undefined
}

function problemOfTime({ checkpoint, checkpointAt }: ChainSnapshot, now: number) {
  if (!isWhole(checkpoint)) return 'its checkpoint is not a number'
  if (!isWhole(checkpointAt)) return 'its checkpoint has no time'
  if (checkpointAt > now + CLOCK_TOLERANCE_MS) return 'its checkpoint lies in the future'
  return undefined
}

/**
 * While a network changes epochs, the start of the epoch may move with every checkpoint, so only its bounds are
 * checked.
 */
function problemOfEpoch({ epoch, checkpointAt }: ChainSnapshot) {
  const { number, startedAt, durationMs } = epoch
  if (!isWhole(number) || number > MAX_EPOCH) return 'its epoch is not a number'
  if (!isWhole(durationMs) || durationMs < 1 || durationMs > YEAR_MS) return 'its epoch has no length'
  if (!isWhole(startedAt) || startedAt < checkpointAt - YEAR_MS) return 'its epoch has no start'
  if (startedAt > checkpointAt + durationMs) return 'its epoch begins in the future'
  return undefined
}

function problemOfConstants(next: ChainSnapshot) {
  if (!isWhole(next.chainEpoch ?? 0)) return 'the epoch of its chain is not a number'
  if (!isPossibleChain(next)) return 'its chain has no name'
  if (!isPossibleToken(next.token)) return 'its token is impossible'
  if (!isPossibleSystem(next.system)) return 'its system object is impossible'
  if (!areRewardsPossible(next.rewards.perEpoch, next.rewards.shape)) return 'its rewards are out of range'
  return undefined
}

function problemOfValidators({ validators, epoch }: ChainSnapshot) {
  if (validators.length > MAX_VALIDATORS) return `it has over ${MAX_VALIDATORS} validators`
  if (!validators.some((validator) => validator.status === 'active')) return 'it has no active validator'
  const ids = new Set(validators.map((validator) => validator.id))
  if (ids.size !== validators.length) return 'it names a validator twice'
  const isImpossible = (one: Validator) => !isPossibleValidator(one, epoch.nextCommitteeSelected)
  const impossible = validators.find(isImpossible)
  return impossible && `validator ${impossible.id} is impossible`
}

function problemOfFirst(next: ChainSnapshot, now: number) {
  const isOld = now - next.checkpointAt > FIRST_LOAD_MAX_AGE_MS
  if (isOld) return 'its checkpoint is over 10 minutes old'
  const seconds = (next.checkpointAt - SUI_BEGAN_AT) / 1_000
  const isTooHigh = next.network !== 'sandbox' && next.checkpoint > seconds * MAX_AVERAGE_PER_SECOND
  return isTooHigh ? 'its checkpoint is too high for its time' : undefined
}

/**
 * A snapshot that replaces one dated in the future is checked like a first one: it cannot be compared with the order,
 * the elapsed epochs and the stakes of the wrong one. It must still be of the same chain and system.
 */
function problemAfter(previous: ChainSnapshot, next: ChainSnapshot, { stakeOfEpoch, now }: Known) {
  const problem = problemOfIdentity(previous, next)
  if (problem) return problem
  if (replacesFuture(next, previous, now)) return problemOfFirst(next, now)
  return problemOfOrder(previous, next) ?? problemOfStake(previous, next, stakeOfEpoch)
}

function problemOfIdentity(previous: ChainSnapshot, next: ChainSnapshot) {
  if (next.chainId !== previous.chainId) return 'it is of another chain'
  const { objectId, initialSharedVersion } = previous.system
  if (next.system.objectId === objectId && next.system.initialSharedVersion !== initialSharedVersion) {
    return 'its system object is another one under the same id'
  }
  return undefined
}

function problemOfOrder(previous: ChainSnapshot, next: ChainSnapshot) {
  if (next.checkpoint < previous.checkpoint) return 'its checkpoint is older than the present one'
  if (next.checkpointAt < previous.checkpointAt) return 'its time is before the present one'
  if (next.epoch.number < previous.epoch.number) return 'its epoch is older than the present one'
  return next.network === 'sandbox' ? undefined : problemOfPace(previous, next)
}

/**
 * Epochs may be late but never early, and checkpoints have a maximum rate: one accepted answer from the future would
 * block all correct ones after it. Only the sandbox can be advanced at will.
 */
function problemOfPace(previous: ChainSnapshot, next: ChainSnapshot) {
  const shortest = Math.min(previous.epoch.durationMs, next.epoch.durationMs)
  const elapsed = next.checkpointAt - previous.epoch.startedAt + Math.min(EARLY_MS, shortest / 10)
  const epochs = Math.floor(elapsed / shortest)
  if (next.epoch.number - previous.epoch.number > epochs) return 'its epoch is implausibly early'
  const seconds = (next.checkpointAt - previous.checkpointAt) / 1_000
  const checkpoints = seconds * MAX_CHECKPOINTS_PER_SECOND + CHECKPOINTS_AT_ONCE
  if (next.checkpoint - previous.checkpoint > checkpoints) return 'its checkpoint is implausibly early'
  return undefined
}

/** The epochs are in order here, so the exponent is not negative. */
function problemOfStake(previous: ChainSnapshot, next: ChainSnapshot, stakeOfEpoch?: bigint) {
  const epochs = BigInt(Math.min(next.epoch.number - previous.epoch.number, 64))
  const factor = MAX_STAKE_FACTOR_PER_EPOCH ** (epochs + 1n)
  // Compared with the first snapshot of the epoch: small steps must not add up to more.
  const before = stakeOfEpoch ?? totalStake(previous)
  const after = totalStake(next)
  if (after > before * factor) return 'its total stake has grown implausibly'
  if (after * factor < before) return 'its total stake has shrunk implausibly'
  return undefined
}

export function totalStake(snapshot: ChainSnapshot): bigint {
  return snapshot.validators.reduce((sum, validator) => sum + validator.stake, 0n)
}
