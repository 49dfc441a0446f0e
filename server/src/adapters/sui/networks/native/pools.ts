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
/** Entries of these tables have about a hundred bytes. */
const ENTRIES_PER_CALL = 500

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

/** Pools of validators that have left or have not joined yet; ids that are no pool are left out. */
export async function readOtherPools(
  talk: Conversation,
  system: SystemReading,
  poolIds: readonly string[],
): Promise<ReadonlyMap<string, Pool>> {
  if (poolIds.length === 0) return new Map()
  const entriesOf = (table: string) =>
    poolIds.map((id) => deriveDynamicFieldID(table, ID_TYPE, bcs.Address.serialize(id).toBytes()))
  const found = await talk.objects(
    [...entriesOf(system.inactiveTableId), ...entriesOf(system.mappingsTableId)],
    ENTRIES_PER_CALL,
  )
  const entries = poolIds.map((poolId, index) => ({
    poolId,
    left: found[index]?.contents,
    mapped: found[index + poolIds.length]?.contents,
  }))
  const gone = entries.flatMap(({ poolId, left }) => (left ? [{ poolId, entry: left }] : []))
  const coming = entries.flatMap(({ poolId, left, mapped }) =>
    left === undefined && mapped ? [{ poolId, entry: mapped }] : [],
  )
  return new Map([...(await readInactivePools(talk, gone)), ...(await readComingPools(talk, system, coming))])
}

type Entry = { readonly poolId: string; readonly entry: Uint8Array }
type Pools = readonly (readonly [poolId: string, pool: Pool])[]

/** Pools that are neither active nor inactive: of candidates, or of validators that join with the next epoch. */
async function readComingPools(
  talk: Conversation,
  { candidatesTableId, epoch }: SystemReading,
  coming: readonly Entry[],
): Promise<Pools> {
  if (coming.length === 0) return []
  const table = toId(candidatesTableId, 'the table of candidates')
  const validators = coming.map(
    ({ entry }) => decode(poolMappingEntry, entry, 'the validator of a pool').value,
  )
  const candidates = await talk.objects(
    validators.map((id) => deriveDynamicFieldID(table, 'address', bcs.Address.serialize(id).toBytes())),
    ENTRIES_PER_CALL,
  )
  return coming.map(({ poolId }, index) => [
    poolId,
    {
      validatorId: present(validators[index], 'the validator of a pool'),
      joinsIn: candidates[index] ? undefined : epoch + 1,
      ratesTableId: poolId,
      activationEpoch: undefined,
      lastEpoch: undefined,
      rewardsPool: 0n,
      commissionBps: 0,
    },
  ])
}

/** The entry leads to the versioned validator, which still holds the pool. */
async function readInactivePools(talk: Conversation, gone: readonly Entry[]): Promise<Pools> {
  const ids = gone.map(({ entry }) => {
    const { inner } = decode(inactiveValidatorEntry, entry, 'an inactive validator').value
    return deriveDynamicFieldID(inner.id, 'u64', encodeEpoch(inner.version))
  })
  const found = await talk.objects(ids)
  return gone.map(({ poolId }, index) => {
    const { contents } = present(found[index], `the validator of pool ${poolId}`)
    const validator = decode(suiValidator, contents, 'a validator').value
    const pool = validator.staking_pool
    return [
      poolId,
      {
        validatorId: validator.metadata.sui_address,
        ratesTableId: pool.exchange_rates.id,
        activationEpoch: pool.activation_epoch ?? undefined,
        lastEpoch: pool.deactivation_epoch ?? undefined,
        rewardsPool: pool.rewards_pool.value,
        commissionBps: toBasisPoints(validator.commission_rate, 'a commission'),
      },
    ]
  })
}
