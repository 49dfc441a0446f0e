import {
  stakedWal,
  walrusActiveSet,
  walrusPool,
  walrusRate,
  walrusStaking,
  walrusStakingInner,
} from '#adapters/sui/layouts/walrus-layouts.ts'
import { NETWORKS, type NetworkConstants } from '#adapters/sui/networks/networks.ts'
import { activeSetOf, descriptionObject, extendedFieldName, poolFields, tokenFields } from './pool-parts.ts'
import {
  type DescribedNetwork,
  type DescribedToken,
  type DescribedValidator,
  fieldObject,
  heldToken,
  partOf,
  u32Name,
  u64Name,
  type World,
  type WorldObject,
  worldOf,
} from './world.ts'

const VERSION = 3
const ELEMENT = { bytes: new Uint8Array(48).fill(9) }
export const WALRUS_SHARED_VERSION = 317_862_159

const committeeOf = (members: readonly DescribedValidator[]) =>
  members.map(({ id }, index) => ({ key: id, value: [index * 2, index * 2 + 1] }))

/** Walrus's objects on a full node: the staking object, its inner state, the active set, pools, rates, tokens. */
export function walrusWorld(network: DescribedNetwork, constants: NetworkConstants = NETWORKS.walrus): World {
  const { validators, tokens } = network
  return worldOf(network, constants, [
    stakingObject(network, constants),
    innerObject(network, constants),
    activeSetObject(network, constants),
    ...validators.map((validator) => poolObject(validator, network.epoch, constants)),
    ...validators.map((validator) => descriptionObject(validator, constants)),
    ...validators.flatMap(rateObjects),
    ...tokens.map((token) => tokenObject(token, constants)),
  ])
}

function stakingObject(
  { packageId, contractVersion = VERSION }: DescribedNetwork,
  constants: NetworkConstants,
): WorldObject {
  const id = constants.systemObjectId
  return {
    id,
    type: `${constants.originalPackageId}::staking::Staking`,
    contents: walrusStaking
      .serialize({ id, version: contractVersion, package_id: packageId, new_package_id: null })
      .toBytes(),
    owner: { kind: 'shared', initialVersion: WALRUS_SHARED_VERSION },
  }
}

function innerObject(network: DescribedNetwork, constants: NetworkConstants): WorldObject {
  const staking = constants.systemObjectId
  const { contractVersion = VERSION } = network
  const selected = network.nextCommitteeSelected
  const next = network.validators.filter((validator) => validator.inNextCommittee)
  return fieldObject(staking, u64Name(contractVersion), walrusStakingInner, (id) => ({
    id,
    name: contractVersion,
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

function activeSetObject(network: DescribedNetwork, constants: NetworkConstants): WorldObject {
  const { members, totalStake } = activeSetOf(network)
  const name = extendedFieldName(constants)
  return fieldObject(partOf(constants.systemObjectId, 'active-set'), name, walrusActiveSet, (id) => ({
    id,
    name: false,
    value: {
      max_size: network.contractVersion === 4 ? 150 : 111,
      threshold_stake: 0n,
      nodes: members.map(({ id, balance }) => ({ node_id: id, staked_amount: balance })),
      total_stake: totalStake,
    },
  }))
}

function poolObject(validator: DescribedValidator, epoch: number, constants: NetworkConstants): WorldObject {
  const { id } = validator
  const withdrawing = validator.phase === 'withdrawing'
  const contents = walrusPool.serialize({
    ...poolFields(validator, epoch),
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
    wal_balance: validator.balance,
    commission_receiver: { Address: partOf(id, 'receiver') },
    governance_authorized: { ObjectID: partOf(id, 'governance') },
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
    return fieldObject(partOf(validatorId, 'rates'), u32Name(epoch), walrusRate, (id) => ({
      id,
      name: epoch,
      value: shares === 0n ? { Flat: true } : { Variable: { wal_amount: tokens, share_amount: shares } },
    }))
  })
}

function tokenObject(token: DescribedToken, constants: NetworkConstants): WorldObject {
  const contents = stakedWal.serialize({ ...tokenFields(token), node_id: token.validatorId })
  return heldToken(token, constants, contents.toBytes())
}
