import {
  ikaPendingActiveSet,
  ikaRate,
  ikaSystem,
  ikaSystemInner,
  ikaValidator,
  stakedIka,
} from '#adapters/sui/layouts/ika-layouts.ts'
import { NETWORKS, type NetworkConstants } from '#adapters/sui/networks/networks.ts'
import { activeSetOf, descriptionObject, extendedFieldName, poolFields, tokenFields } from './pool-parts.ts'
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

const INNER_VERSION = 2
const ELEMENT = { bytes: new Uint8Array(48).fill(7) }
export const IKA_SHARED_VERSION = 595_745_916
export const IKA_JOINING_STAKE = 30_000_000_000_000_000n
export const IKA_SUBSIDY = 2_739_726_000_000_000n
export const IKA_REMAINING = 41n

const committeeOf = (members: readonly DescribedValidator[]) => ({
  members: members.map(({ id }) => ({ validator_id: id, protocol_pubkey: ELEMENT })),
  aggregated_protocol_pubkey: ELEMENT,
  quorum_threshold: 3n,
  validity_threshold: 2n,
})

/** Ika's objects on a full node: the system object, its inner state, the pending set, validators, rates, tokens. */
export function ikaWorld(network: DescribedNetwork, constants: NetworkConstants = NETWORKS.ika): World {
  const { validators, tokens } = network
  return worldOf(network, constants, [
    systemObject(network, constants),
    innerObject(network, constants),
    pendingSetObject(network, constants),
    ...validators.map((validator) => validatorObject(validator, network.epoch, constants)),
    ...validators.map((validator) => descriptionObject(validator, constants)),
    ...validators.flatMap(rateObjects),
    ...tokens.map((token) => tokenObject(token, constants)),
  ])
}

function systemObject({ packageId }: DescribedNetwork, constants: NetworkConstants): WorldObject {
  const id = constants.systemObjectId
  return {
    id,
    type: `${constants.originalPackageId}::system::System`,
    contents: ikaSystem
      .serialize({
        id,
        version: INNER_VERSION,
        package_id: packageId,
        new_package_id: null,
        migration_epoch: null,
      })
      .toBytes(),
    owner: { kind: 'shared', initialVersion: IKA_SHARED_VERSION },
  }
}

function innerObject(network: DescribedNetwork, constants: NetworkConstants): WorldObject {
  const system = constants.systemObjectId
  const next = network.validators.filter((validator) => validator.inNextCommittee)
  return fieldObject(system, u64Name(INNER_VERSION), ikaSystemInner, (id) => ({
    id,
    name: INNER_VERSION,
    value: {
      epoch: network.epoch,
      epoch_start_tx_digest: new Uint8Array(32).fill(1),
      system_object_cap: { id: partOf(system, 'cap') },
      protocol_version: 3n,
      next_protocol_version: null,
      upgrade_caps: [{ id: partOf(system, 'upgrade'), package: network.packageId, version: 2n, policy: 0 }],
      approved_upgrades: [],
      validator_set: {
        total_stake: network.validators.reduce((sum, v) => (v.inCommittee ? sum + v.balance : sum), 0n),
        reward_slashing_rate: 10_000,
        validators: { id: partOf(system, 'validators'), size: network.validators.length },
        active_committee: committeeOf(network.validators.filter((validator) => validator.inCommittee)),
        next_epoch_active_committee: network.nextCommitteeSelected ? committeeOf(next) : null,
        previous_committee: committeeOf([]),
        pending_active_set: { id: partOf(system, 'pending') },
        validator_report_records: (network.reported ?? []).map((key) => ({
          key,
          value: network.validators.slice(0, 1).map(({ id }) => id),
        })),
        extra_fields: bag(system, 'set-extra'),
      },
      epoch_duration_ms: network.durationMs,
      stake_subsidy_start_epoch: 1,
      protocol_treasury: {
        treasury_cap: {
          id: partOf(system, 'treasury'),
          total_supply: { value: 10_000_000_000_000_000_000n },
        },
        stake_subsidy_distribution_counter: 10n,
        stake_subsidy_rate: 1_000,
        stake_subsidy_amount_per_distribution: IKA_SUBSIDY,
        stake_subsidy_period_length: 365n,
        total_supply_at_period_start: 10_000_000_000_000_000_000n,
        extra_fields: bag(system, 'treasury-extra'),
      },
      epoch_start_timestamp_ms: network.startedAt,
      last_processed_checkpoint_sequence_number: 5n,
      previous_epoch_last_checkpoint_sequence_number: 4n,
      total_messages_processed: 9n,
      remaining_rewards: { value: IKA_REMAINING },
      authorized_protocol_cap_ids: [partOf(system, 'protocol-cap')],
      witnesses_approving_advance_epoch: ['a::witness::Witness'],
      received_end_of_publish: false,
      extra_fields: bag(system, 'extra'),
    },
  }))
}

function pendingSetObject(network: DescribedNetwork, constants: NetworkConstants): WorldObject {
  const { members, totalStake } = activeSetOf(network)
  const name = extendedFieldName(constants)
  return fieldObject(partOf(constants.systemObjectId, 'pending'), name, ikaPendingActiveSet, (id) => ({
    id,
    name: false,
    value: {
      min_validator_count: 4n,
      max_validator_count: 102n,
      min_validator_joining_stake: IKA_JOINING_STAKE,
      max_validator_change_count: 10n,
      validators: members.map(({ id, balance }) => ({ validator_id: id, staked_amount: balance })),
      total_stake: totalStake,
      validator_changes: [...(network.setChanges ?? [])],
    },
  }))
}

function validatorObject(
  validator: DescribedValidator,
  epoch: number,
  constants: NetworkConstants,
): WorldObject {
  const { id } = validator
  const states = {
    'pre-active': { PreActive: true as const },
    active: { Active: true as const },
    withdrawing: { Withdrawing: validator.lastEpoch ?? 0 },
  }
  const contents = ikaValidator.serialize({
    ...poolFields(validator, epoch),
    validator_info: infoOf(validator),
    state: states[validator.phase],
    activation_epoch: validator.phase === 'pre-active' ? null : validator.activationEpoch,
    ika_balance: validator.balance,
    validator_cap_id: partOf(id, 'cap'),
    operation_cap_id: partOf(id, 'operation'),
    commission_cap_id: partOf(id, 'commission'),
  })
  return {
    id,
    type: `${constants.originalPackageId}::validator::Validator`,
    contents: contents.toBytes(),
    owner: { kind: 'object', id: partOf(constants.systemObjectId, 'validators') },
  }
}

function infoOf({ id, name }: DescribedValidator) {
  const key = new Uint8Array(96).fill(3)
  return {
    name,
    validator_id: id,
    network_address: '/dns/validator.example/tcp/8080/http',
    p2p_address: '/dns/validator.example/udp/8084',
    consensus_address: '/dns/validator.example/udp/8081',
    protocol_pubkey_bytes: key,
    protocol_pubkey: ELEMENT,
    network_pubkey_bytes: key.subarray(0, 32),
    consensus_pubkey_bytes: key.subarray(0, 32),
    mpc_data_bytes: { id: partOf(id, 'mpc'), size: 4 },
    next_epoch_protocol_pubkey_bytes: null,
    next_epoch_network_pubkey_bytes: key.subarray(0, 32),
    next_epoch_consensus_pubkey_bytes: null,
    next_epoch_mpc_data_bytes: null,
    next_epoch_network_address: '/dns/new.example/tcp/8080/http',
    next_epoch_p2p_address: null,
    next_epoch_consensus_address: null,
    previous_mpc_data_bytes: null,
    metadata: { id: partOf(id, 'metadata') },
  }
}

function rateObjects({ id: validatorId, rates }: DescribedValidator): readonly WorldObject[] {
  return rates.map(({ epoch, tokens, shares }) =>
    fieldObject(partOf(validatorId, 'rates'), u64Name(epoch), ikaRate, (id) => ({
      id,
      name: epoch,
      value: shares === 0n ? { Flat: true } : { Variable: { ika_amount: tokens, share_amount: shares } },
    })),
  )
}

function tokenObject(token: DescribedToken, constants: NetworkConstants): WorldObject {
  const contents = stakedIka.serialize({ ...tokenFields(token), validator_id: token.validatorId })
  return heldToken(token, constants, contents.toBytes())
}
