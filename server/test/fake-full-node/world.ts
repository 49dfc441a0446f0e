import { type BcsType, bcs } from '@mysten/sui/bcs'
import type { GrpcTypes } from '@mysten/sui/grpc'
import { deriveDynamicFieldID, normalizeSuiAddress } from '@mysten/sui/utils'
import { MAINNET_CHAIN_ID, type NetworkConstants } from '#adapters/sui/networks/networks.ts'

export type WorldObject = {
  readonly id: string
  readonly type: string
  readonly contents: Uint8Array
  readonly owner:
    | { readonly kind: 'address'; readonly address: string }
    | { readonly kind: 'object'; readonly id: string }
    | { readonly kind: 'shared'; readonly initialVersion: number }
}

/** Everything a full node knows at one checkpoint. */
export type World = {
  readonly chainId: string
  readonly chainName: string
  readonly stakedTokenType: string
  readonly checkpoint: number
  readonly checkpointAt: number
  readonly objects: ReadonlyMap<string, WorldObject>
  /** Sui's own system state, which a node serves as a message of its own. */
  readonly suiEpoch?: GrpcTypes.Epoch
}

export type Rate = { readonly epoch: number; readonly tokens: bigint; readonly shares: bigint }
export type EpochAmount = { readonly key: number; readonly value: bigint }

/** A validator in words that fit every network; what a network does not know it leaves out. */
export type DescribedValidator = {
  readonly id: string
  readonly name: string
  readonly phase: 'pre-active' | 'active' | 'withdrawing'
  readonly inCommittee: boolean
  readonly inNextCommittee?: boolean
  readonly waiting?: boolean
  readonly activationEpoch: number
  readonly lastEpoch?: number
  readonly balance: bigint
  readonly shares: bigint
  readonly commissionBps: number
  readonly pendingCommission?: readonly EpochAmount[]
  readonly pendingStake?: readonly EpochAmount[]
  readonly pendingSharesWithdraw?: readonly EpochAmount[]
  readonly preActiveWithdrawals?: readonly EpochAmount[]
  readonly rewardsPool: bigint
  readonly rates: readonly Rate[]
}

export type DescribedToken = {
  readonly id: string
  readonly owner: string
  readonly validatorId: string
  readonly principal: bigint
  readonly activationEpoch: number
  readonly withdrawEpoch?: number
}

export type DescribedNetwork = {
  readonly epoch: number
  readonly startedAt: number
  readonly durationMs: number
  readonly nextCommitteeSelected: boolean
  readonly packageId: string
  readonly checkpoint: number
  readonly checkpointAt: number
  readonly validators: readonly DescribedValidator[]
  readonly tokens: readonly DescribedToken[]
  /** Whom the first validator reports as failing. */
  readonly reported?: readonly string[]
  /** The version of the contracts where they differ; 3 without it (Walrus). */
  readonly contractVersion?: number
  /** Who has come into the active set or left it in this epoch. */
  readonly setChanges?: readonly string[]
}

/** A world of these objects, at the checkpoint of the network that they describe. */
export function worldOf(
  { checkpoint, checkpointAt }: DescribedNetwork,
  { chainId, stakedTokenType }: NetworkConstants,
  objects: readonly WorldObject[],
): World {
  return {
    chainId,
    chainName: chainNameOf(chainId),
    stakedTokenType,
    checkpoint,
    checkpointAt,
    objects: new Map(objects.map((object) => [object.id, object])),
  }
}

const chainNameOf = (chainId: string): string => (chainId === MAINNET_CHAIN_ID ? 'mainnet' : 'testnet')

/** A readable id: the number, in hex, at the end of zeros. */
export const idOf = (number: number): string => normalizeSuiAddress(number.toString(16))

const derived = new Map<string, string>()

/** Worlds of a test file are mostly alike, and deriving ids took half of the time to make one. */
function fieldId(parent: string, type: string, key: Uint8Array): string {
  const name = `${parent} ${type} ${Buffer.from(key).toString('latin1')}`
  const id = derived.get(name) ?? deriveDynamicFieldID(parent, type, key)
  derived.set(name, id)
  return id
}

/** Other ids of the same thing: its table of rates, its metadata and so on. */
export const partOf = (id: string, part: string): string =>
  fieldId(id, '0x1::string::String', Buffer.from(part))

export const bag = (owner: string, part: string) => ({ id: partOf(owner, part), size: 0 })

export function fieldObject<T, Input>(
  parent: string,
  name: { readonly type: string; readonly key: Uint8Array },
  layout: BcsType<T, Input>,
  value: (id: string) => Input,
): WorldObject {
  const id = fieldId(parent, name.type, name.key)
  return {
    id,
    type: `0x2::dynamic_field::Field<${name.type},u8>`,
    contents: layout.serialize(value(id)).toBytes(),
    owner: { kind: 'object', id: parent },
  }
}

/** The name of a field that holds the value of an epoch or the state of a version. */
export const u64Name = (value: number) => ({ type: 'u64', key: bcs.u64().serialize(value).toBytes() })
export const u32Name = (value: number) => ({ type: 'u32', key: bcs.u32().serialize(value).toBytes() })

/** A staked token in the hands of its owner. */
export const heldToken = (
  { id, owner }: DescribedToken,
  { stakedTokenType }: NetworkConstants,
  contents: Uint8Array,
): WorldObject => ({ id, type: stakedTokenType, contents, owner: { kind: 'address', address: owner } })
