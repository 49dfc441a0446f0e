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
  uid,
  vecMap,
  whole,
} from './move-layouts.ts'

/** The objects of the Ika system package, field by field as its Move sources declare them. */
const pendingValues = vecMap(whole, u64)

const blsCommittee = bcs.struct('BlsCommittee', {
  members: bcs.vector(bcs.struct('BlsCommitteeMember', { validator_id: id, protocol_pubkey: groupElement })),
  aggregated_protocol_pubkey: groupElement,
  quorum_threshold: u64,
  validity_threshold: u64,
})

const validatorSet = bcs.struct('ValidatorSet', {
  total_stake: u64,
  reward_slashing_rate: bcs.u16(),
  validators: table,
  active_committee: blsCommittee,
  next_epoch_active_committee: bcs.option(blsCommittee),
  previous_committee: blsCommittee,
  pending_active_set: extendedField,
  validator_report_records: vecMap(id, bcs.vector(id)),
  extra_fields: table,
})

const protocolTreasury = bcs.struct('ProtocolTreasury', {
  treasury_cap: bcs.struct('TreasuryCap', { id, total_supply: balance }),
  stake_subsidy_distribution_counter: u64,
  stake_subsidy_rate: bcs.u16(),
  stake_subsidy_amount_per_distribution: u64,
  stake_subsidy_period_length: u64,
  total_supply_at_period_start: u64,
  extra_fields: table,
})

const upgradeCap = bcs.struct('UpgradeCap', { id, package: id, version: u64, policy: bcs.u8() })

export const ikaSystem = bcs.struct('System', {
  id,
  version: whole,
  package_id: id,
  new_package_id: bcs.option(id),
  migration_epoch: bcs.option(whole),
})

export const ikaSystemInner = dynamicField(
  whole,
  bcs.struct('SystemInner', {
    epoch: whole,
    epoch_start_tx_digest: bytes,
    system_object_cap: uid,
    protocol_version: u64,
    next_protocol_version: bcs.option(u64),
    upgrade_caps: bcs.vector(upgradeCap),
    approved_upgrades: vecMap(id, bytes),
    validator_set: validatorSet,
    epoch_duration_ms: whole,
    stake_subsidy_start_epoch: whole,
    protocol_treasury: protocolTreasury,
    epoch_start_timestamp_ms: whole,
    last_processed_checkpoint_sequence_number: u64,
    previous_epoch_last_checkpoint_sequence_number: u64,
    total_messages_processed: u64,
    remaining_rewards: balance,
    authorized_protocol_cap_ids: bcs.vector(id),
    witnesses_approving_advance_epoch: bcs.vector(text),
    received_end_of_publish: bcs.bool(),
    extra_fields: table,
  }),
)

export const ikaPendingActiveSet = dynamicField(
  bcs.bool(),
  bcs.struct('PendingActiveSet', {
    min_validator_count: u64,
    max_validator_count: u64,
    min_validator_joining_stake: u64,
    max_validator_change_count: u64,
    validators: bcs.vector(bcs.struct('PendingActiveSetEntry', { validator_id: id, staked_amount: u64 })),
    total_stake: u64,
    validator_changes: bcs.vector(id),
  }),
)

const validatorInfo = bcs.struct('ValidatorInfo', {
  name: text,
  validator_id: id,
  network_address: text,
  p2p_address: text,
  consensus_address: text,
  protocol_pubkey_bytes: bytes,
  protocol_pubkey: groupElement,
  network_pubkey_bytes: bytes,
  consensus_pubkey_bytes: bytes,
  mpc_data_bytes: bcs.option(table),
  next_epoch_protocol_pubkey_bytes: bcs.option(bytes),
  next_epoch_network_pubkey_bytes: bcs.option(bytes),
  next_epoch_consensus_pubkey_bytes: bcs.option(bytes),
  next_epoch_mpc_data_bytes: bcs.option(table),
  next_epoch_network_address: bcs.option(text),
  next_epoch_p2p_address: bcs.option(text),
  next_epoch_consensus_address: bcs.option(text),
  previous_mpc_data_bytes: bcs.option(table),
  metadata: extendedField,
})

export const ikaValidator = bcs.struct('Validator', {
  id,
  validator_info: validatorInfo,
  state: bcs.enum('ValidatorState', { PreActive: null, Active: null, Withdrawing: whole }),
  activation_epoch: bcs.option(whole),
  latest_epoch: whole,
  ika_balance: u64,
  num_shares: u64,
  pending_shares_withdraw: pendingValues,
  pre_active_withdrawals: pendingValues,
  pending_commission_rate: pendingValues,
  commission_rate: bcs.u16(),
  exchange_rates: table,
  pending_stake: pendingValues,
  rewards_pool: balance,
  commission: balance,
  validator_cap_id: id,
  operation_cap_id: id,
  commission_cap_id: id,
  extra_fields: table,
})

export const ikaRate = dynamicField(
  whole,
  bcs.enum('TokenExchangeRate', {
    Flat: null,
    Variable: bcs.struct('Variable', { ika_amount: u128, share_amount: u128 }),
  }),
)

export const stakedIka = bcs.struct('StakedIka', {
  id,
  state: bcs.enum('StakedIkaState', {
    Staked: null,
    Withdrawing: bcs.struct('Withdrawing', { withdraw_epoch: whole }),
  }),
  validator_id: id,
  principal: balance,
  activation_epoch: whole,
})
