import type { GrpcTypes } from '@mysten/sui/grpc'
import type { Conversation } from '../../connection/conversation.ts'
import { check, present, toEpoch, toId, toWhole } from '../../layouts/decode.ts'

export type ActiveValidator = {
  readonly address: string
  readonly pool: GrpcTypes.StakingPool
  readonly raw: GrpcTypes.Validator
}
export type SystemReading = {
  readonly epoch: number
  readonly startedAt: number
  readonly durationMs: number
  readonly totalStake: bigint
  readonly active: readonly ActiveValidator[]
  readonly leaving: ReadonlySet<number>
  readonly atRisk: ReadonlyMap<string, number>
  readonly reports: ReadonlyMap<string, number>
  readonly inactiveTableId: string
  readonly mappingsTableId: string
  readonly candidatesTableId: string | undefined
}

/** Reads the system state; one answer contains the whole validator set. */
export async function readSystem(talk: Conversation): Promise<SystemReading> {
  const state = present((await talk.epoch()).systemState, 'the system state')
  const set = present(state.validators, 'the validator set')
  const active = set.activeValidators.map(toActive)
  const reading = {
    epoch: toEpoch(toWhole(present(state.epoch, 'the epoch'), 'the epoch')),
    startedAt: toWhole(
      present(state.epochStartTimestampMs, 'the start of the epoch'),
      'the start of the epoch',
    ),
    durationMs: toWhole(
      present(state.parameters?.epochDurationMs, 'the length of an epoch'),
      'the length of an epoch',
    ),
    totalStake: present(set.totalStake, 'the total stake'),
    active,
    leaving: new Set(set.pendingRemovals.map(Number)),
    atRisk: new Map(
      Object.entries(set.atRiskValidators).map(([address, epochs]) => [
        toId(address, 'a validator at risk'),
        toWhole(epochs, 'the epochs at risk'),
      ]),
    ),
    reports: new Map(
      state.validatorReportRecords.map(({ reported, reporters }) => [
        toId(reported, 'a reported validator'),
        reporters.length,
      ]),
    ),
    inactiveTableId: toId(set.inactiveValidators?.id, 'the table of inactive validators'),
    mappingsTableId: toId(set.stakingPoolMappings?.id, 'the table of staking pools'),
    candidatesTableId: set.validatorCandidates?.id,
  }
  check(reading.durationMs > 0, 'an epoch takes no time')
  check(active.length > 0, 'there is no active validator')
  check(new Set(active.map(({ address }) => address)).size === active.length, 'a validator is listed twice')
  check(
    [...reading.leaving].every((index) => index < active.length),
    'a validator leaves that is not there',
  )
  return reading
}

function toActive(raw: GrpcTypes.Validator): ActiveValidator {
  const address = toId(raw.address, 'the address of a validator')
  return { address, raw, pool: present(raw.stakingPool, `the staking pool of ${address}`) }
}
