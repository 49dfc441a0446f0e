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

/** The state of a full node at one checkpoint. */
export type World = {
  readonly chainId: string
  readonly chainName: string
  readonly stakedTokenType: string
  readonly checkpoint: number
  readonly checkpointAt: number
  readonly objects: ReadonlyMap<string, WorldObject>
  /** Sui's system state, which a node serves as a message, not as an object. */
  readonly suiEpoch?: GrpcTypes.Epoch
}

export type Rate = { readonly epoch: number; readonly tokens: bigint; readonly shares: bigint }
export type EpochAmount = { readonly key: number; readonly value: bigint }

/** A validator independent of the network; each network leaves out fields that it does not have. */
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
  /** Validators that the first one reports as failing. */
  readonly reported?: readonly string[]
  /** Version of the contracts (Walrus only); default 3. */
  readonly contractVersion?: number
  /** Validators that have joined or left the active set in this epoch. */
  readonly setChanges?: readonly string[]
}

/** A world of these objects, at the network's checkpoint. */
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

/** A readable id: the number in hex, padded with zeros. */
export const idOf = (number: number): string => normalizeSuiAddress(number.toString(16))

const derived = new Map<string, string>()

/** Cached: the worlds of a test file share most ids, and deriving them takes half of the time to build a world. */
function fieldId(parent: string, type: string, key: Uint8Array): string {
  const name = `${parent} ${type} ${Buffer.from(key).toString('latin1')}`
  const id = derived.get(name) ?? deriveDynamicFieldID(parent, type, key)
  derived.set(name, id)
  return id
}

/** Derived id of a part of an object: its table of rates, its metadata and so on. */
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
  let contents: Uint8Array | undefined
  return {
    id,
    type: `0x2::dynamic_field::Field<${name.type},u8>`,
    /** Encoded when it is first read: worlds have thousands of rates, and most tests read a few. */
    get contents() {
      contents ??= layout.serialize(value(id)).toBytes()
      return contents
    },
    owner: { kind: 'object', id: parent },
  }
}

/** Name of a dynamic field that is keyed by an epoch or a version. */
export const u64Name = (value: number) => ({ type: 'u64', key: bcs.u64().serialize(value).toBytes() })
export const u32Name = (value: number) => ({ type: 'u32', key: bcs.u32().serialize(value).toBytes() })

/** A staked token owned by its address. */
export const heldToken = (
  { id, owner }: DescribedToken,
  { stakedTokenType }: NetworkConstants,
  contents: Uint8Array,
): WorldObject => ({ id, type: stakedTokenType, contents, owner: { kind: 'address', address: owner } })
