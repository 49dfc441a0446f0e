import { bcs } from '@mysten/sui/bcs'
import { deriveDynamicFieldID } from '@mysten/sui/utils'
import type { ChainObject } from '../connection/messages.ts'
import { decode, present, toBasisPoints, toEpoch } from '../layouts/decode.ts'
import {
  ikaPendingActiveSet,
  ikaRate,
  ikaSystem,
  ikaSystemInner,
  ikaValidator,
  stakedIka,
} from '../layouts/ika-layouts.ts'
import { EXTENDED_FIELD_KEY } from '../layouts/move-layouts.ts'
import { FLAT, toRate } from '../pools/share-math.ts'
import { twoStepCommands } from '../staking-commands.ts'
import type { NetworkConstants } from './networks.ts'
import { readPoolNetwork } from './pool-network/pool-network.ts'
import type { PoolReading, PoolSystem } from './pool-network/pool-system.ts'
import { openVersionedState } from './versioned-state.ts'

type IkaSystem = PoolSystem & { readonly pot: bigint }

const encodeEpoch = (epoch: number) => bcs.u64().serialize(epoch).toBytes()

const decodeSystem = (contents: Uint8Array) => decode(ikaSystem, contents, 'the Ika system object')

function toSystem({ object, state }: { object: ChainObject; state: ChainObject }): IkaSystem {
  const system = decodeSystem(object.contents)
  const inner = decode(ikaSystemInner, state.contents, 'the state of the Ika system').value
  const set = inner.validator_set
  const subsidised = inner.epoch >= inner.stake_subsidy_start_epoch
  const subsidy = subsidised ? inner.protocol_treasury.stake_subsidy_amount_per_distribution : 0n
  return {
    packageId: system.package_id,
    initialSharedVersion: present(object.initialSharedVersion, 'the shared version of the Ika system'),
    epoch: toEpoch(inner.epoch),
    startedAt: inner.epoch_start_timestamp_ms,
    durationMs: inner.epoch_duration_ms,
    committee: set.active_committee.members.map((member) => member.validator_id),
    nextCommittee: set.next_epoch_active_committee?.members.map((member) => member.validator_id),
    poolsTable: set.validators,
    waitingSetId: set.pending_active_set.id,
    lateCommissionHolds: false,
    pot: subsidy + inner.remaining_rewards.value,
    reports: new Map(set.validator_report_records.map(({ key, value }) => [key, value.length])),
  }
}

function decodePool(contents: Uint8Array): PoolReading {
  const validator = decode(ikaValidator, contents, 'a validator')
  const phases = { PreActive: 'pre-active', Active: 'active', Withdrawing: 'withdrawing' } as const
  return {
    validatorId: validator.validator_info.validator_id,
    name: validator.validator_info.name,
    phase: phases[validator.state.$kind],
    activationEpoch: validator.activation_epoch ?? Number.POSITIVE_INFINITY,
    lastEpoch: validator.state.Withdrawing,
    latestEpoch: validator.latest_epoch,
    balance: validator.ika_balance,
    shares: validator.num_shares,
    pendingStake: validator.pending_stake,
    pendingSharesWithdraw: validator.pending_shares_withdraw,
    preActiveWithdrawals: validator.pre_active_withdrawals,
    commissionBps: toBasisPoints(validator.commission_rate, 'a commission'),
    pendingCommission: validator.pending_commission_rate,
    rewardsPool: validator.rewards_pool.value,
    ratesTableId: validator.exchange_rates.id,
    metadataId: validator.validator_info.metadata.id,
  }
}

/** Ika: each member of the committee gets the same share of the epoch's pot. */
export function ika(constants: NetworkConstants) {
  const readVersioned = openVersionedState(
    constants.systemObjectId,
    (contents) => decodeSystem(contents).version,
  )
  return readPoolNetwork<IkaSystem>(constants, {
    rewardShape: () => ({ kind: 'equal-share' }),
    readSystem: async (talk) => toSystem(await readVersioned(talk)),
    decodePool,

    async readWaitingSet(talk, { waitingSetId: id }) {
      const keyType = `${constants.extendedFieldPackageId}::extended_field::Key`
      const field = await talk.object(deriveDynamicFieldID(id, keyType, EXTENDED_FIELD_KEY))
      const set = decode(ikaPendingActiveSet, field.contents, 'the pending active set').value
      return {
        members: set.validators.map(({ validator_id: id, staked_amount: stake }) => ({ id, stake })),
        minStake: set.min_validator_joining_stake,
        limits: {
          minMembers: Number(set.min_validator_count),
          maxMembers: Number(set.max_validator_count),
          changesLeft: Math.max(0, Number(set.max_validator_change_count) - set.validator_changes.length),
        },
      }
    },

    // The subsidy is fixed ahead of time; the fees of the running epoch are known only when it ends.
    rewardsPerEpoch: async (_talk, system) => system.pot,

    rateTable: {
      keyType: 'u64',
      includesJoining: false,
      encodeKey: encodeEpoch,
      decodeEntry(contents) {
        const { name, value } = decode(ikaRate, contents, 'an exchange rate')
        const variable = value.Variable
        return { epoch: name, rate: variable ? toRate(variable.ika_amount, variable.share_amount) : FLAT }
      },
    },

    toToken({ contents, owner }) {
      const token = decode(stakedIka, contents, 'a staked token')
      const withdrawing = token.state.Withdrawing
      return {
        id: token.id,
        owner,
        poolId: token.validator_id,
        principal: token.principal.value,
        activationEpoch: toEpoch(token.activation_epoch),
        withdrawEpoch: withdrawing && toEpoch(withdrawing.withdraw_epoch),
      }
    },

    commandsFor: twoStepCommands({
      stake: 'system::request_add_stake',
      unstake: 'system::request_withdraw_stake',
      withdraw: 'system::withdraw_stake',
      split: 'staked_ika::split',
      join: 'staked_ika::join',
    }),
  })
}
