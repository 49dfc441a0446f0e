import assert from 'node:assert/strict'
import { GrpcTypes } from '@mysten/sui/grpc'
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils'
import { GrpcFailure, type GrpcWebServer, type Handlers, serveGrpcWeb } from './grpc-web-server.ts'
import { type SimulationPlan, simulate } from './simulation.ts'
import type { World, WorldObject } from './world.ts'

/** Entries per page of a list, and most objects in one call. */
export type NodeLimits = { readonly page: number; readonly batch: number }
export type FakeFullNode = GrpcWebServer & {
  world: World
  limits: NodeLimits
  /** Result of simulations. */
  simulation: SimulationPlan
  /** Balance of every address, in every coin. */
  balance: bigint
  /** The ids of all objects that were requested, in order. */
  readonly asked: readonly string[]
  /** Verdict on a zkLogin signature; undefined: the node does not check signatures. */
  zkLogin: ((signed: GrpcTypes.VerifySignatureRequest) => boolean) | undefined
}

/** The limits of a real full node. */
export const REAL_LIMITS: NodeLimits = { page: 1_000, batch: 1_000 }
const SHORT_PAGES: NodeLimits = { ...REAL_LIMITS, page: 3 }
const INVALID_ARGUMENT = 3
const OUT_OF_RANGE = 11
const UNIMPLEMENTED = 12
const RICH = 10n ** 18n
const NOT_FOUND = { code: 5, message: 'no such object', details: [] }

/**
 * Starts a full node that serves a described world in the wire format of a real one, by default with short pages. It is
 * fully pruned: it has no old version of any object and no past epochs.
 */
export async function startFakeFullNode(world: World): Promise<FakeFullNode> {
  const served: { node?: FakeFullNode } = {}
  const node = () => served.node ?? assert.fail('a call came before the node was ready')
  const asked: string[] = []
  const simulation = { kind: 'success' } as const
  const own = { world, limits: SHORT_PAGES, simulation, balance: RICH, asked, zkLogin: undefined }
  served.node = Object.assign(await serveGrpcWeb(handlersOf(node, asked)), own)
  return served.node
}

function handlersOf(node: () => FakeFullNode, asked: string[]): Handlers {
  const world = () => node().world
  const limits = () => node().limits
  return {
    GetServiceInfo: () => {
      const { chainId, chainName, checkpoint, checkpointAt } = world()
      const timestamp = {
        seconds: BigInt(Math.floor(checkpointAt / 1000)),
        nanos: (checkpointAt % 1000) * 1e6,
      }
      return { chainId, chain: chainName, checkpointHeight: BigInt(checkpoint), epoch: 1_000n, timestamp }
    },
    BatchGetObjects: (input) => {
      const { requests } = input as GrpcTypes.BatchGetObjectsRequest
      if (requests.length > limits().batch) throw new GrpcFailure(INVALID_ARGUMENT, 'too many objects')
      const objects = requests.map(({ objectId, version }) => {
        const id = normalizeSuiAddress(objectId ?? '')
        asked.push(id)
        const found = version === undefined ? world().objects.get(id) : undefined
        return found
          ? { result: { oneofKind: 'object', object: toMessage(found) } }
          : { result: { oneofKind: 'error', error: NOT_FOUND } }
      })
      return { objects }
    },
    ListDynamicFields: (input) => {
      const { parent, pageToken } = input as GrpcTypes.ListDynamicFieldsRequest
      const children = [...world().objects.values()].filter(
        ({ owner }) => owner.kind === 'object' && owner.id === parent,
      )
      const { items, nextPageToken } = page(children, limits().page, pageToken)
      const dynamicFields = items.map(({ id }) => ({ kind: 2, parent, fieldId: id, childId: id }))
      return { dynamicFields, ...(nextPageToken && { nextPageToken }) }
    },
    ListOwnedObjects: (input) => {
      const { owner: address, objectType, pageToken } = input as GrpcTypes.ListOwnedObjectsRequest
      const wanted = normalizeStructTag(objectType ?? '')
      const owned = [...world().objects.values()].filter(
        ({ owner, type }) =>
          owner.kind === 'address' && owner.address === address && normalizeStructTag(type) === wanted,
      )
      const { items, nextPageToken } = page(owned, limits().page, pageToken)
      return { objects: items.map(toMessage), ...(nextPageToken && { nextPageToken }) }
    },
    GetBalance: (input) => {
      const { coinType } = input as GrpcTypes.GetBalanceRequest
      const { balance } = node()
      return { balance: { coinType, balance, coinBalance: 0n, addressBalance: balance } }
    },
    SimulateTransaction: (input) =>
      simulate(input as GrpcTypes.SimulateTransactionRequest, node().simulation, world().stakedTokenType),
    VerifySignature: (input) => {
      const { zkLogin } = node()
      if (!zkLogin) throw new GrpcFailure(UNIMPLEMENTED, 'no signatures are checked here')
      const isValid = zkLogin(input as GrpcTypes.VerifySignatureRequest)
      return { isValid, ...(!isValid && { reason: 'the proof does not hold' }) }
    },
    GetEpoch: (input) => {
      const { suiEpoch } = world()
      const { epoch } = input as GrpcTypes.GetEpochRequest
      if (epoch !== undefined) throw new GrpcFailure(OUT_OF_RANGE, 'this epoch is pruned')
      if (suiEpoch === undefined) throw new Error('this world has no Sui epoch')
      return { epoch: suiEpoch }
    },
  }
}

function toMessage({ id, type, contents, owner }: WorldObject): object {
  const { Owner_OwnerKind: kinds } = GrpcTypes
  const owners = {
    address: () => ({ kind: kinds.ADDRESS, address: owner.kind === 'address' ? owner.address : '' }),
    object: () => ({ kind: kinds.OBJECT, address: owner.kind === 'object' ? owner.id : '' }),
    shared: () => ({
      kind: kinds.SHARED,
      version: BigInt(owner.kind === 'shared' ? owner.initialVersion : 0),
    }),
  }
  return {
    objectId: id,
    version: 7n,
    digest: 'unused',
    objectType: type,
    owner: owners[owner.kind](),
    contents: { name: type, value: contents },
  }
}

function page<T>(all: readonly T[], size: number, token: Uint8Array | undefined) {
  const start = token ? Buffer.from(token).readUInt32BE() : 0
  const items = all.slice(start, start + size)
  const next = Buffer.alloc(4)
  next.writeUInt32BE(start + size)
  return { items, nextPageToken: start + size < all.length ? next : undefined }
}
