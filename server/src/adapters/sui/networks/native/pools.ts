import { bcs } from '@mysten/sui/bcs'
import { deriveDynamicFieldID } from '@mysten/sui/utils'
import type { Pool, RateTable } from '../../chain-reader.ts'
import type { Conversation } from '../../connection/conversation.ts'
import { decode, present, toBasisPoints, toId, toWhole } from '../../layouts/decode.ts'
import {
  inactiveValidatorEntry,
  poolMappingEntry,
  suiRate,
  suiValidator,
} from '../../layouts/native-layouts.ts'
import { toRate } from '../../pools/share-math.ts'
import { commissionOf } from './commission.ts'
import type { ActiveValidator, SystemReading } from './system.ts'

const ID_TYPE = '0x2::object::ID'

const encodeEpoch = (epoch: number) => bcs.u64().serialize(epoch).toBytes()

export const rateTable: RateTable = {
  keyType: 'u64',
  includesJoining: true,
  encodeKey: encodeEpoch,
  decodeEntry(contents) {
    const { name, value } = decode(suiRate, contents, 'an exchange rate')
    return { epoch: name, rate: toRate(value.sui_amount, value.pool_token_amount) }
  },
}

export function toPool({ address, pool, raw }: ActiveValidator): Pool {
  const activated = pool.activationEpoch
  return {
    validatorId: address,
    ratesTableId: toId(pool.exchangeRates?.id, `the exchange rates of ${address}`),
    activationEpoch:
      activated === undefined ? undefined : toWhole(activated, `the activation epoch of ${address}`),
    lastEpoch: undefined,
    rewardsPool: present(pool.rewardsPool, `the rewards of ${address}`),
    commissionBps: commissionOf(raw.commissionRate, address),
  }
}

/** A pool of a validator that has left or has not begun; undefined for what was never a pool. */
export async function readOtherPool(
  talk: Conversation,
  system: SystemReading,
  poolId: string,
): Promise<Pool | undefined> {
  const key = bcs.Address.serialize(poolId).toBytes()
  const [left, mapped] = await talk.objects(
    [system.inactiveTableId, system.mappingsTableId].map((table) =>
      deriveDynamicFieldID(table, ID_TYPE, key),
    ),
  )
  if (left) return readInactivePool(talk, left.contents)
  if (mapped === undefined) return undefined
  const validatorId = decode(poolMappingEntry, mapped.contents, 'the validator of a pool').value
  return {
    validatorId,
    joinsIn: (await isCandidate(talk, system, validatorId)) ? undefined : system.epoch + 1,
    ratesTableId: poolId,
    activationEpoch: undefined,
    lastEpoch: undefined,
    rewardsPool: 0n,
    commissionBps: 0,
  }
}

/** Neither active nor gone, it is a candidate or about to join; of the second kind the contract finds no pool. */
async function isCandidate(
  talk: Conversation,
  { candidatesTableId }: SystemReading,
  validatorId: string,
): Promise<boolean> {
  const key = bcs.Address.serialize(validatorId).toBytes()
  const table = toId(candidatesTableId, 'the table of candidates')
  const [entry] = await talk.objects([deriveDynamicFieldID(table, 'address', key)])
  return entry !== undefined
}

/** The entry leads to the versioned validator, which still holds the pool. */
async function readInactivePool(talk: Conversation, entry: Uint8Array): Promise<Pool> {
  const { inner } = decode(inactiveValidatorEntry, entry, 'an inactive validator').value
  const field = await talk.object(deriveDynamicFieldID(inner.id, 'u64', encodeEpoch(inner.version)))
  const validator = decode(suiValidator, field.contents, 'a validator').value
  const pool = validator.staking_pool
  return {
    validatorId: validator.metadata.sui_address,
    ratesTableId: pool.exchange_rates.id,
    activationEpoch: pool.activation_epoch ?? undefined,
    lastEpoch: pool.deactivation_epoch ?? undefined,
    rewardsPool: pool.rewards_pool.value,
    commissionBps: toBasisPoints(validator.commission_rate, 'a commission'),
  }
}
