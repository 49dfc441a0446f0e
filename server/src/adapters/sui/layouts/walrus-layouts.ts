import { bcs } from '@mysten/sui/bcs'
import {
  balance,
  bytes,
  dynamicField,
  extendedField,
  groupElement,
  id,
  table,
  text,
  u64,
  u128,
  vecMap,
  whole,
} from './move-layouts.ts'

/** The objects of the Walrus package, field by field as its Move sources declare them. Its epochs are `u32`. */
const epoch = bcs.u32()
const pendingValues = vecMap(epoch, u64)
/** Each member and the shards it holds. */
const committee = vecMap(id, bcs.vector(bcs.u16()))
const authorized = bcs.enum('Authorized', { Address: id, ObjectID: id })

export const walrusStaking = bcs.struct('Staking', {
  id,
  version: whole,
  package_id: id,
  new_package_id: bcs.option(id),
})

export const walrusStakingInner = dynamicField(
  whole,
  bcs.struct('StakingInnerV1', {
    n_shards: bcs.u16(),
    epoch_duration: whole,
    first_epoch_start: whole,
    pools: table,
    epoch,
    active_set: extendedField,
    next_committee: bcs.option(committee),
    committee,
    previous_committee: committee,
    next_epoch_params: bcs.option(
      bcs.struct('EpochParams', {
        total_capacity_size: u64,
        storage_price_per_unit_size: u64,
        write_price_per_unit_size: u64,
      }),
    ),
    epoch_state: bcs.enum('EpochState', {
      EpochChangeSync: bcs.u16(),
      EpochChangeDone: whole,
      NextParamsSelected: whole,
    }),
    next_epoch_public_keys: extendedField,
  }),
)

export const walrusActiveSet = dynamicField(
  bcs.bool(),
  bcs.struct('ActiveSet', {
    max_size: bcs.u16(),
    threshold_stake: u64,
    nodes: bcs.vector(bcs.struct('ActiveSetEntry', { node_id: id, staked_amount: u64 })),
    total_stake: u64,
  }),
)

export const walrusPool = bcs.struct('StakingPool', {
  id,
  state: bcs.enum('PoolState', { Active: null, Withdrawing: epoch, Withdrawn: null }),
  voting_params: bcs.struct('VotingParams', { storage_price: u64, write_price: u64, node_capacity: u64 }),
  node_info: bcs.struct('StorageNodeInfo', {
    name: text,
    node_id: id,
    network_address: text,
    public_key: groupElement,
    next_epoch_public_key: bcs.option(groupElement),
    network_public_key: bytes,
    metadata: extendedField,
  }),
  activation_epoch: epoch,
  latest_epoch: epoch,
  wal_balance: u64,
  num_shares: u64,
  pending_shares_withdraw: pendingValues,
  pre_active_withdrawals: pendingValues,
  pending_commission_rate: pendingValues,
  commission_rate: bcs.u16(),
  exchange_rates: table,
  pending_stake: pendingValues,
  rewards_pool: balance,
  commission: balance,
  commission_receiver: authorized,
  governance_authorized: authorized,
  extra_fields: table,
})

export const walrusRate = dynamicField(
  epoch,
  bcs.enum('PoolExchangeRate', {
    Flat: null,
    Variable: bcs.struct('Variable', { wal_amount: u128, share_amount: u128 }),
  }),
)

export const stakedWal = bcs.struct('StakedWal', {
  id,
  state: bcs.enum('StakedWalState', {
    Staked: null,
    Withdrawing: bcs.struct('Withdrawing', { withdraw_epoch: epoch }),
  }),
  node_id: id,
  principal: balance,
  activation_epoch: epoch,
})
