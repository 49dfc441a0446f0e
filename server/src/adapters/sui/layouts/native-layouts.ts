import { bcs } from '@mysten/sui/bcs'
import { balance, bytes, dynamicField, id, table, text, u64, whole } from './move-layouts.ts'

/** The objects of Sui's own staking, field by field as the framework declares them. */
const url = bcs.struct('Url', { url: text })

const validatorMetadata = bcs.struct('ValidatorMetadata', {
  sui_address: id,
  protocol_pubkey_bytes: bytes,
  network_pubkey_bytes: bytes,
  worker_pubkey_bytes: bytes,
  proof_of_possession: bytes,
  name: text,
  description: text,
  image_url: url,
  project_url: url,
  net_address: text,
  p2p_address: text,
  primary_address: text,
  worker_address: text,
  next_epoch_protocol_pubkey_bytes: bcs.option(bytes),
  next_epoch_proof_of_possession: bcs.option(bytes),
  next_epoch_network_pubkey_bytes: bcs.option(bytes),
  next_epoch_worker_pubkey_bytes: bcs.option(bytes),
  next_epoch_net_address: bcs.option(text),
  next_epoch_p2p_address: bcs.option(text),
  next_epoch_primary_address: bcs.option(text),
  next_epoch_worker_address: bcs.option(text),
  extra_fields: table,
})

const stakingPool = bcs.struct('StakingPool', {
  id,
  activation_epoch: bcs.option(whole),
  deactivation_epoch: bcs.option(whole),
  sui_balance: u64,
  rewards_pool: balance,
  pool_token_balance: u64,
  exchange_rates: table,
  pending_stake: u64,
  pending_total_sui_withdraw: u64,
  pending_pool_token_withdraw: u64,
  extra_fields: table,
})

/** An entry of the table from pools to validators, which exists from a validator's candidacy until it leaves. */
export const poolMappingEntry = dynamicField(id, id)

/** An entry of the table of inactive validators: the pool's id, and the parent id of the versioned validator. */
export const inactiveValidatorEntry = dynamicField(
  id,
  bcs.struct('ValidatorWrapper', { inner: bcs.struct('Versioned', { id, version: whole }) }),
)

export const suiValidator = dynamicField(
  whole,
  bcs.struct('Validator', {
    metadata: validatorMetadata,
    voting_power: u64,
    operation_cap_id: id,
    gas_price: u64,
    staking_pool: stakingPool,
    commission_rate: u64,
    next_epoch_stake: u64,
    next_epoch_gas_price: u64,
    next_epoch_commission_rate: u64,
    extra_fields: table,
  }),
)

export const suiRate = dynamicField(
  whole,
  bcs.struct('PoolTokenExchangeRate', { sui_amount: u64, pool_token_amount: u64 }),
)

export const stakedSui = bcs.struct('StakedSui', {
  id,
  pool_id: id,
  stake_activation_epoch: whole,
  principal: balance,
})
