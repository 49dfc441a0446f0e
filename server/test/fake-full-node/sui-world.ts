import { bcs } from '@mysten/sui/bcs'
import { GrpcTypes } from '@mysten/sui/grpc'
import {
  inactiveValidatorEntry,
  poolMappingEntry,
  stakedSui,
  suiRate,
  suiValidator,
} from '#adapters/sui/layouts/native-layouts.ts'
import { NETWORKS, type NetworkConstants } from '#adapters/sui/networks/networks.ts'
import {
  bag,
  type DescribedNetwork,
  type DescribedToken,
  type DescribedValidator,
  fieldObject,
  heldToken,
  partOf,
  u64Name,
  type World,
  type WorldObject,
  worldOf,
} from './world.ts'

const INACTIVE_TABLE = partOf(NETWORKS.sui.systemObjectId, 'inactive')
const MAPPINGS_TABLE = partOf(NETWORKS.sui.systemObjectId, 'mappings')
const CANDIDATES_TABLE = partOf(NETWORKS.sui.systemObjectId, 'candidates')
const VALIDATOR_VERSION = 1
const sumOf = (amounts: DescribedValidator['pendingStake']) =>
  (amounts ?? []).reduce((sum, { value }) => sum + value, 0n)
const poolIdOf = (validatorId: string) => partOf(validatorId, 'pool')

/** Sui's objects on a full node: the epoch's system state, validators that left, rates, tokens. */
export function suiWorld(network: DescribedNetwork, constants: NetworkConstants = NETWORKS.sui): World {
  const { validators, tokens } = network
  const objects = [
    ...validators.flatMap((validator) =>
      validator.phase === 'withdrawing' && !validator.inCommittee
        ? inactiveObjects(validator)
        : [mappingObject(validator)],
    ),
    ...validators.filter(({ phase }) => phase === 'pre-active').map(candidateObject),
    ...validators.flatMap(rateObjects),
    ...tokens.map((token) => tokenObject(token, constants)),
  ]
  return { ...worldOf(network, constants, objects), suiEpoch: epochOf(network) }
}

function epochOf(network: DescribedNetwork): GrpcTypes.Epoch {
  const active = network.validators.filter((validator) => validator.inCommittee)
  return GrpcTypes.Epoch.create({
    epoch: BigInt(network.epoch),
    systemState: {
      version: 2n,
      epoch: BigInt(network.epoch),
      epochStartTimestampMs: BigInt(network.startedAt),
      parameters: { epochDurationMs: BigInt(network.durationMs), minValidatorJoiningStake: 30n },
      validatorReportRecords: (network.reported ?? []).map((reported) => ({
        reported,
        reporters: active.slice(0, 1).map(({ id }) => id),
      })),
      validators: {
        totalStake: active.reduce((sum, validator) => sum + validator.balance, 0n),
        activeValidators: active.map(messageOf),
        pendingRemovals: active.flatMap(({ phase }, index) =>
          phase === 'withdrawing' ? [BigInt(index)] : [],
        ),
        inactiveValidators: { id: INACTIVE_TABLE, size: 1n },
        stakingPoolMappings: { id: MAPPINGS_TABLE, size: BigInt(network.validators.length - 1) },
        validatorCandidates: { id: CANDIDATES_TABLE, size: 1n },
        atRiskValidators: Object.fromEntries(active.slice(2, 3).map(({ id }) => [id, 3n])),
      },
    },
  })
}

function messageOf(validator: DescribedValidator): GrpcTypes.Validator {
  return {
    name: validator.name,
    description: `This is\n${validator.name}.`,
    imageUrl: 'https://validator.example/logo.png',
    projectUrl: 'javascript:alert(1)',
    address: validator.id,
    votingPower: 2_500n,
    commissionRate: BigInt(validator.commissionBps),
    nextEpochCommissionRate: validator.pendingCommission?.at(-1)?.value ?? BigInt(validator.commissionBps),
    nextEpochStake: validator.balance,
    stakingPool: {
      id: poolIdOf(validator.id),
      activationEpoch: BigInt(validator.activationEpoch),
      suiBalance: validator.balance,
      rewardsPool: validator.rewardsPool,
      poolTokenBalance: validator.shares,
      exchangeRates: { id: partOf(validator.id, 'rates'), size: BigInt(validator.rates.length) },
      pendingStake: sumOf(validator.pendingStake),
      pendingTotalSuiWithdraw: sumOf(validator.preActiveWithdrawals),
      pendingPoolTokenWithdraw: 0n,
    },
  }
}

const poolKey = (validatorId: string) => ({
  type: '0x2::object::ID',
  key: bcs.Address.serialize(poolIdOf(validatorId)).toBytes(),
})

function mappingObject({ id: validatorId }: DescribedValidator): WorldObject {
  return fieldObject(MAPPINGS_TABLE, poolKey(validatorId), poolMappingEntry, (id) => ({
    id,
    name: poolIdOf(validatorId),
    value: validatorId,
  }))
}

function candidateObject({ id: address }: DescribedValidator): WorldObject {
  const key = { type: 'address', key: bcs.Address.serialize(address).toBytes() }
  return fieldObject(CANDIDATES_TABLE, key, inactiveValidatorEntry, (id) => ({
    id,
    name: address,
    value: { inner: { id: partOf(address, 'versioned'), version: VALIDATOR_VERSION } },
  }))
}

function inactiveObjects(validator: DescribedValidator): readonly WorldObject[] {
  const poolId = poolIdOf(validator.id)
  const versionedId = partOf(validator.id, 'versioned')
  return [
    fieldObject(INACTIVE_TABLE, poolKey(validator.id), inactiveValidatorEntry, (id) => ({
      id,
      name: poolId,
      value: { inner: { id: versionedId, version: VALIDATOR_VERSION } },
    })),
    fieldObject(versionedId, u64Name(VALIDATOR_VERSION), suiValidator, (id) => ({
      id,
      name: VALIDATOR_VERSION,
      value: validatorOf(validator),
    })),
  ]
}

function validatorOf(validator: DescribedValidator) {
  const { id, commissionBps } = validator
  return {
    metadata: metadataOf(validator),
    voting_power: 0n,
    operation_cap_id: partOf(id, 'cap'),
    gas_price: 500n,
    staking_pool: {
      id: poolIdOf(id),
      activation_epoch: validator.phase === 'pre-active' ? null : validator.activationEpoch,
      deactivation_epoch: validator.lastEpoch ?? null,
      sui_balance: validator.balance,
      rewards_pool: { value: validator.rewardsPool },
      pool_token_balance: validator.shares,
      exchange_rates: { id: partOf(id, 'rates'), size: validator.rates.length },
      pending_stake: 0n,
      pending_total_sui_withdraw: 0n,
      pending_pool_token_withdraw: 0n,
      extra_fields: bag(id, 'pool-extra'),
    },
    commission_rate: BigInt(commissionBps),
    next_epoch_stake: validator.balance,
    next_epoch_gas_price: 500n,
    next_epoch_commission_rate: BigInt(commissionBps),
    extra_fields: bag(id, 'extra'),
  }
}

function metadataOf({ id, name }: DescribedValidator) {
  const key = new Uint8Array(96).fill(4)
  return {
    sui_address: id,
    protocol_pubkey_bytes: key,
    network_pubkey_bytes: key.subarray(0, 32),
    worker_pubkey_bytes: key.subarray(0, 32),
    proof_of_possession: key.subarray(0, 48),
    name,
    description: 'A validator that has left.',
    image_url: { url: 'https://validator.example/logo.png' },
    project_url: { url: 'https://validator.example' },
    net_address: '/dns/validator.example/tcp/8080/http',
    p2p_address: '/dns/validator.example/udp/8084',
    primary_address: '/dns/validator.example/udp/8081',
    worker_address: '/dns/validator.example/udp/8082',
    next_epoch_protocol_pubkey_bytes: null,
    next_epoch_proof_of_possession: null,
    next_epoch_network_pubkey_bytes: null,
    next_epoch_worker_pubkey_bytes: null,
    next_epoch_net_address: null,
    next_epoch_p2p_address: null,
    next_epoch_primary_address: null,
    next_epoch_worker_address: null,
    extra_fields: bag(id, 'metadata-extra'),
  }
}

function rateObjects({ id: validatorId, rates }: DescribedValidator): readonly WorldObject[] {
  return rates.map(({ epoch, tokens, shares }) =>
    fieldObject(partOf(validatorId, 'rates'), u64Name(epoch), suiRate, (id) => ({
      id,
      name: epoch,
      value: { sui_amount: tokens, pool_token_amount: shares },
    })),
  )
}

function tokenObject(token: DescribedToken, constants: NetworkConstants): WorldObject {
  const contents = stakedSui.serialize({
    id: token.id,
    pool_id: poolIdOf(token.validatorId),
    stake_activation_epoch: token.activationEpoch,
    principal: { value: token.principal },
  })
  return heldToken(token, constants, contents.toBytes())
}
