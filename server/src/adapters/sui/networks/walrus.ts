import { bcs } from '@mysten/sui/bcs'
import { deriveDynamicFieldID } from '@mysten/sui/utils'
import { leastForShard, mostShards } from '../../../shards.ts'
import type { RateTable } from '../chain-reader.ts'
import type { ChainObject } from '../connection/messages.ts'
import { check, decode, present, toBasisPoints, toEpoch } from '../layouts/decode.ts'
import { EXTENDED_FIELD_KEY } from '../layouts/move-layouts.ts'
import {
  stakedWal,
  walrusActiveSet,
  walrusPool,
  walrusRate,
  walrusStaking,
  walrusStakingInner,
} from '../layouts/walrus-layouts.ts'
import { openRewardMeter } from '../pools/measured-rewards.ts'
import { type PastCommissions, presentCommissions } from '../pools/past-commissions.ts'
import { FLAT, toRate } from '../pools/share-math.ts'
import { twoStepCommands } from '../staking-commands.ts'
import type { NetworkConstants } from './networks.ts'
import { readPoolNetwork } from './pool-network/pool-network.ts'
import type { PoolReading, PoolSystem } from './pool-network/pool-system.ts'
import { openVersionedState } from './versioned-state.ts'

/** From this contract version on, a pool applies a commission announced while it was outside the committee. */
const LATE_COMMISSION_VERSION = 4

type WalrusSystem = PoolSystem & { readonly shardCount: number }

const decodeStaking = (contents: Uint8Array) => decode(walrusStaking, contents, 'the Walrus staking object')

function toSystem({ object, state }: { object: ChainObject; state: ChainObject }): WalrusSystem {
  const staking = decodeStaking(object.contents)
  const inner = decode(walrusStakingInner, state.contents, 'the state of Walrus staking').value
  const { epoch_state: phase, next_committee: next } = inner
  const selected = phase.$kind === 'NextParamsSelected'
  check(selected === (next !== null), 'the next committee and the state of the epoch do not agree')
  return {
    packageId: staking.package_id,
    initialSharedVersion: present(object.initialSharedVersion, 'the shared version of Walrus staking'),
    epoch: toEpoch(inner.epoch),
    startedAt: phase.EpochChangeDone ?? phase.NextParamsSelected,
    durationMs: inner.epoch_duration,
    committee: inner.committee.map((member) => member.key),
    nextCommittee: next?.map((member) => member.key),
    poolsTable: inner.pools,
    waitingSetId: inner.active_set.id,
    lateCommissionHolds: staking.version >= LATE_COMMISSION_VERSION,
    shardCount: inner.n_shards,
    shards: new Map(inner.committee.map(({ key, value }) => [key, value.length])),
  }
}

function decodePool(contents: Uint8Array): PoolReading {
  const pool = decode(walrusPool, contents, 'a staking pool')
  return {
    validatorId: pool.node_info.node_id,
    name: pool.node_info.name,
    phase: pool.state.$kind === 'Active' ? 'active' : 'withdrawing',
    activationEpoch: pool.activation_epoch,
    lastEpoch: pool.state.Withdrawing,
    latestEpoch: pool.latest_epoch,
    balance: pool.wal_balance,
    shares: pool.num_shares,
    pendingStake: pool.pending_stake,
    pendingSharesWithdraw: pool.pending_shares_withdraw,
    preActiveWithdrawals: pool.pre_active_withdrawals,
    commissionBps: toBasisPoints(pool.commission_rate, 'a commission'),
    pendingCommission: pool.pending_commission_rate,
    rewardsPool: pool.rewards_pool.value,
    ratesTableId: pool.exchange_rates.id,
    metadataId: pool.node_info.metadata.id,
    votes: {
      storagePrice: pool.voting_params.storage_price,
      writePrice: pool.voting_params.write_price,
      nodeCapacity: pool.voting_params.node_capacity,
    },
  }
}

const rateTable: RateTable = {
  keyType: 'u32',
  includesJoining: false,
  encodeKey: (epoch) => bcs.u32().serialize(epoch).toBytes(),
  decodeEntry(contents) {
    const { name, value } = decode(walrusRate, contents, 'an exchange rate')
    const variable = value.Variable
    return { epoch: name, rate: variable ? toRate(variable.wal_amount, variable.share_amount) : FLAT }
  },
}

/** The contract's threshold is 0, but a node needs stake for at least one shard to be in the committee. */
function leastToSit(
  set: { readonly threshold_stake: bigint; readonly nodes: readonly { readonly staked_amount: bigint }[] },
  shardCount: number,
): bigint {
  const stakes = set.nodes.map((node) => node.staked_amount)
  const least = leastForShard(stakes, shardCount)
  if (least > set.threshold_stake) return least
  return set.threshold_stake
}

/** Walrus: rewards are proportional to shards, and shards to stake, up to a tenth of all. */
export function walrus(constants: NetworkConstants, commissionsFrom: PastCommissions = presentCommissions) {
  const lastRewards = openRewardMeter(rateTable, commissionsFrom)
  const readVersioned = openVersionedState(
    constants.systemObjectId,
    (contents) => decodeStaking(contents).version,
  )
  return readPoolNetwork<WalrusSystem>(constants, {
    rateTable,
    readSystem: async (talk) => toSystem(await readVersioned(talk)),
    decodePool,

    rewardShape: ({ committee, shardCount }) => ({
      kind: 'proportional',
      capShare: mostShards(committee.length, shardCount) / shardCount,
      shards: shardCount,
    }),

    async readWaitingSet(talk, { waitingSetId: id, shardCount }) {
      const keyType = `${constants.extendedFieldPackageId}::extended_field::Key`
      const field = await talk.object(deriveDynamicFieldID(id, keyType, EXTENDED_FIELD_KEY))
      const set = decode(walrusActiveSet, field.contents, 'the active set').value
      return {
        members: set.nodes.map(({ node_id: id, staked_amount: stake }) => ({ id, stake })),
        minStake: leastToSit(set, shardCount),
        limits: { minMembers: 0, maxMembers: set.max_size, changesLeft: undefined },
      }
    },

    rewardsPerEpoch: (talk, system, committee) => lastRewards(talk, committee, system.epoch),

    toToken({ contents, owner }) {
      const token = decode(stakedWal, contents, 'a staked token')
      const withdrawing = token.state.Withdrawing
      return {
        id: token.id,
        owner,
        poolId: token.node_id,
        principal: token.principal.value,
        activationEpoch: toEpoch(token.activation_epoch),
        withdrawEpoch: withdrawing && toEpoch(withdrawing.withdraw_epoch),
      }
    },

    commandsFor: twoStepCommands({
      stake: 'staking::stake_with_pool',
      unstake: 'staking::request_withdraw_stake',
      withdraw: 'staking::withdraw_stake',
      split: 'staked_wal::split',
      join: 'staked_wal::join',
    }),
  })
}
