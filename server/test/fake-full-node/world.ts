import type { BcsType } from '@mysten/sui/bcs'
import type { GrpcTypes } from '@mysten/sui/grpc'
import { deriveDynamicFieldID, normalizeSuiAddress } from '@mysten/sui/utils'
import { selfDescription } from '#adapters/sui/layouts/move-layouts.ts'
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
  /** Who has come into the active set or left it in this epoch. */
  readonly setChanges?: readonly string[]
}

export const chainNameOf = ({ chainId }: NetworkConstants): string =>
  chainId === MAINNET_CHAIN_ID ? 'mainnet' : 'testnet'

/** A readable id: the number, in hex, at the end of zeros. */
export const idOf = (number: number): string => normalizeSuiAddress(number.toString(16))

/** Other ids of the same thing: its table of rates, its metadata and so on. */
export const partOf = (id: string, part: string): string =>
  deriveDynamicFieldID(id, '0x1::string::String', Buffer.from(part))

export const bag = (owner: string, part: string) => ({ id: partOf(owner, part), size: 0 })

export function fieldObject<T, Input>(
  parent: string,
  name: { readonly type: string; readonly key: Uint8Array },
  layout: BcsType<T, Input>,
  value: (id: string) => Input,
): WorldObject {
  const id = deriveDynamicFieldID(parent, name.type, name.key)
  return {
    id,
    type: `0x2::dynamic_field::Field<${name.type},u8>`,
    contents: layout.serialize(value(id)).toBytes(),
    owner: { kind: 'object', id: parent },
  }
}

/** What a validator of Ika or Walrus says about itself, with an address that nobody should follow. */
export function descriptionObject(
  { id: validatorId, name }: DescribedValidator,
  { extendedFieldPackageId }: NetworkConstants,
): WorldObject {
  const key = { type: `${extendedFieldPackageId}::extended_field::Key`, key: Uint8Array.of(0) }
  return fieldObject(partOf(validatorId, 'metadata'), key, selfDescription, (id) => ({
    id,
    name: false,
    value: {
      image_url: 'https://validator.example/logo.png',
      project_url: 'javascript:alert(1)',
      description: `This is\n${name}.`,
      extra_fields: [{ key: 'region', value: 'north' }],
    },
  }))
}

export const objectMap = (objects: readonly WorldObject[]): ReadonlyMap<string, WorldObject> =>
  new Map(objects.map((object) => [object.id, object]))
