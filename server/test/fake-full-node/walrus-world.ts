import { bcs } from '@mysten/sui/bcs'
import {
  stakedWal,
  walrusActiveSet,
  walrusPool,
  walrusRate,
  walrusStaking,
  walrusStakingInner,
} from '#adapters/sui/layouts/walrus-layouts.ts'
import { NETWORKS, type NetworkConstants } from '#adapters/sui/networks/networks.ts'
import {
  bag,
  chainNameOf,
  type DescribedNetwork,
  type DescribedToken,
  type DescribedValidator,
  descriptionObject,
  fieldObject,
  objectMap,
  partOf,
  type World,
  type WorldObject,
} from './world.ts'

const INNER_VERSION = 3
const ELEMENT = { bytes: new Uint8Array(48).fill(9) }
export const WALRUS_SHARED_VERSION = 317_862_159

const committeeOf = (members: readonly DescribedValidator[]) =>
  members.map(({ id }, index) => ({ key: id, value: [index * 2, index * 2 + 1] }))

/** Walrus as a full node holds it: the staking object, its inner state, the active set, pools, rates, tokens. */
export function walrusWorld(network: DescribedNetwork, constants: NetworkConstants = NETWORKS.walrus): World {
  const { checkpoint, checkpointAt, validators, tokens } = network
  return {
    chainId: constants.chainId,
    chainName: chainNameOf(constants),
    stakedTokenType: constants.stakedTokenType,
    checkpoint,
    checkpointAt,
    objects: objectMap([
      stakingObject(network, constants),
      innerObject(network, constants),
      activeSetObject(network, constants),
      ...validators.map((validator) => poolObject(validator, network.epoch, constants)),
      ...validators.map((validator) => descriptionObject(validator, constants)),
      ...validators.flatMap(rateObjects),
      ...tokens.map((token) => tokenObject(token, constants)),
    ]),
  }
}

function stakingObject({ packageId }: DescribedNetwork, constants: NetworkConstants): WorldObject {
  const id = constants.systemObjectId
  return {
    id,
    type: `${constants.originalPackageId}::staking::Staking`,
    contents: walrusStaking
      .serialize({ id, version: INNER_VERSION, package_id: packageId, new_package_id: null })
      .toBytes(),
    owner: { kind: 'shared', initialVersion: WALRUS_SHARED_VERSION },
  }
}

function innerObject(network: DescribedNetwork, constants: NetworkConstants): WorldObject {
  const staking = constants.systemObjectId
  const name = { type: 'u64', key: bcs.u64().serialize(INNER_VERSION).toBytes() }
  const selected = network.nextCommitteeSelected
  const next = network.validators.filter((validator) => validator.inNextCommittee)
  return fieldObject(staking, name, walrusStakingInner, (id) => ({
    id,
    name: INNER_VERSION,
    value: {
      n_shards: 1000,
      epoch_duration: network.durationMs,
      first_epoch_start: 1_742_000_000_000,
      pools: { id: partOf(staking, 'pools'), size: network.validators.length },
      epoch: network.epoch,
      active_set: { id: partOf(staking, 'active-set') },
      next_committee: selected ? committeeOf(next) : null,
      committee: committeeOf(network.validators.filter((validator) => validator.inCommittee)),
      previous_committee: [],
      next_epoch_params: selected
        ? { total_capacity_size: 1n, storage_price_per_unit_size: 2n, write_price_per_unit_size: 3n }
        : null,
      epoch_state: selected
        ? { NextParamsSelected: network.startedAt }
        : { EpochChangeDone: network.startedAt },
      next_epoch_public_keys: { id: partOf(staking, 'keys') },
    },
  }))
}

function activeSetObject({ validators }: DescribedNetwork, constants: NetworkConstants): WorldObject {
  const waiting = validators.filter((validator) => validator.inCommittee || validator.waiting)
  const name = { type: `${constants.extendedFieldPackageId}::extended_field::Key`, key: Uint8Array.of(0) }
  return fieldObject(partOf(constants.systemObjectId, 'active-set'), name, walrusActiveSet, (id) => ({
    id,
    name: false,
    value: {
      max_size: 111,
      threshold_stake: 0n,
      nodes: waiting.map(({ id, balance }) => ({ node_id: id, staked_amount: balance })),
      total_stake: waiting.reduce((sum, validator) => sum + validator.balance, 0n),
    },
  }))
}

function poolObject(validator: DescribedValidator, epoch: number, constants: NetworkConstants): WorldObject {
  const { id } = validator
  const withdrawing = validator.phase === 'withdrawing'
  const contents = walrusPool.serialize({
    id,
    state: withdrawing ? { Withdrawing: validator.lastEpoch ?? 0 } : { Active: true },
    voting_params: { storage_price: 1n, write_price: 2n, node_capacity: 3n },
    node_info: {
      name: validator.name,
      node_id: id,
      network_address: 'node.example:9185',
      public_key: ELEMENT,
      next_epoch_public_key: ELEMENT,
      network_public_key: new Uint8Array(33).fill(2),
      metadata: { id: partOf(id, 'metadata') },
    },
    activation_epoch: validator.activationEpoch,
    latest_epoch: epoch,
    wal_balance: validator.balance,
    num_shares: validator.shares,
    pending_shares_withdraw: validator.pendingSharesWithdraw ?? [],
    pre_active_withdrawals: validator.preActiveWithdrawals ?? [],
    pending_commission_rate: validator.pendingCommission ?? [],
    commission_rate: validator.commissionBps,
    exchange_rates: { id: partOf(id, 'rates'), size: validator.rates.length },
    pending_stake: validator.pendingStake ?? [],
    rewards_pool: { value: validator.rewardsPool },
    commission: { value: 12_345n },
    commission_receiver: { Address: partOf(id, 'receiver') },
    governance_authorized: { ObjectID: partOf(id, 'governance') },
    extra_fields: bag(id, 'extra'),
  })
  return {
    id,
    type: `${constants.originalPackageId}::staking_pool::StakingPool`,
    contents: contents.toBytes(),
    owner: { kind: 'object', id: partOf(constants.systemObjectId, 'pools') },
  }
}

function rateObjects({ id: validatorId, rates }: DescribedValidator): readonly WorldObject[] {
  return rates.map(({ epoch, tokens, shares }) => {
    const name = { type: 'u32', key: bcs.u32().serialize(epoch).toBytes() }
    return fieldObject(partOf(validatorId, 'rates'), name, walrusRate, (id) => ({
      id,
      name: epoch,
      value: shares === 0n ? { Flat: true } : { Variable: { wal_amount: tokens, share_amount: shares } },
    }))
  })
}

function tokenObject(token: DescribedToken, constants: NetworkConstants): WorldObject {
  const { id, owner, validatorId, principal, activationEpoch, withdrawEpoch } = token
  const contents = stakedWal.serialize({
    id,
    state:
      withdrawEpoch === undefined ? { Staked: true } : { Withdrawing: { withdraw_epoch: withdrawEpoch } },
    node_id: validatorId,
    principal: { value: principal },
    activation_epoch: activationEpoch,
  })
  return {
    id,
    type: constants.stakedTokenType,
    contents: contents.toBytes(),
    owner: { kind: 'address', address: owner },
  }
}
