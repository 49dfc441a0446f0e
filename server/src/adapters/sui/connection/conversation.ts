import type { GrpcTypes, SuiGrpcClient } from '@mysten/sui/grpc'
import { normalizeStructTag } from '@mysten/sui/utils'
import { type Fault, wrongField } from '../../../fault.ts'
import type { Hide } from '../../../secrets/hide-secrets.ts'
import { check, present, toId, UnusableAnswer } from '../layouts/decode.ts'
import {
  type ChainObject,
  type Moment,
  type NodeInfo,
  olderMoment,
  toChildId,
  toFoundObject,
  toNodeInfo,
  toObject,
} from './messages.ts'

/** A sequence of calls to one endpoint. Every answer is checked; every call has its own deadline. */
export type Conversation = {
  readonly host: string
  readonly info: NodeInfo
  /** The oldest checkpoint of all answers in this conversation, and its time. */
  oldest(): Moment
  object(id: string): Promise<ChainObject>
  /** In the order of `ids`; undefined for objects that do not exist. */
  objects(ids: readonly string[], perCall?: number): Promise<readonly (ChainObject | undefined)[]>
  /** The ids of the objects in an `ObjectTable`. */
  childrenOf(table: { readonly id: string; readonly size: number }): Promise<readonly string[]>
  ownedBy(owner: string, type: string): Promise<readonly ChainObject[]>
  epoch(): Promise<GrpcTypes.Epoch>
  /** A client whose calls end with this conversation, for what only the SDK can do. */
  sdk(): { readonly client: SuiGrpcClient; readonly signal: AbortSignal }
  /** Pauses the node if this failure carries a `Retry-After`; for failures that the caller treats as answers. */
  pauseIfAsked(failure: unknown): void
  /** Hides secrets in texts of the node before they are passed on. */
  readonly hideSecrets: Hide
}

/** Makes a call with a deadline, and notes the checkpoint of its answer. */
type Line = {
  readonly client: SuiGrpcClient
  ask<T>(call: (options: { readonly abort: AbortSignal }) => PromiseLike<Answer<T>>): Promise<T>
}
type Answer<T> = { readonly response: T; readonly headers: Readonly<Record<string, string | string[]>> }
type Page<T> = { readonly items: readonly T[]; readonly next: Uint8Array | undefined }
type FoundObjects = readonly (ChainObject | undefined)[]

const BATCH = 50
const BATCHES_AT_ONCE = 4
const PAGE = 500
/** Staked tokens of one address. */
const MAX_OWNED = 5_000
/** More than any network has validators; a larger table is refused before it is read. */
const MAX_CHILDREN = 10_000
const OBJECT_FIELDS = ['object_id', 'version', 'owner', 'object_type', 'contents']
const EPOCH_FIELDS = ['epoch', 'system_state']

export async function startConversation(
  client: SuiGrpcClient,
  limits: { readonly callMs: number },
  signal: AbortSignal,
): Promise<Omit<Conversation, 'host' | 'sdk' | 'pauseIfAsked' | 'hideSecrets'>> {
  const deadline = () => ({ abort: AbortSignal.any([signal, AbortSignal.timeout(limits.callMs)]) })
  const info = toNodeInfo((await client.ledgerService.getServiceInfo({}, deadline())).response)
  let oldest: Moment = { checkpoint: info.checkpoint, checkpointAt: info.checkpointAt }
  const line: Line = {
    client,
    async ask(call) {
      const { response, headers } = await call(deadline())
      oldest = olderMoment(oldest, headers, info)
      return response
    },
  }
  return {
    info,
    oldest: () => oldest,
    objects: (ids, perCall) => readObjects(line, ids, perCall),
    object: async (id) => present((await readObjects(line, [id]))[0], `object ${id}`),
    async childrenOf({ id, size }) {
      check(size <= MAX_CHILDREN, `a table says that it has ${size} entries`)
      return readPages((token) => listChildren(line, id, token), size, tooManyListed)
    },
    ownedBy: (owner, type) => readOwned(line, owner, type),
    async epoch() {
      const readMask = { paths: EPOCH_FIELDS }
      const { epoch } = await line.ask((options) => client.ledgerService.getEpoch({ readMask }, options))
      return present(epoch, 'the epoch')
    },
  }
}

async function readObjects(line: Line, ids: readonly string[], perCall = BATCH): Promise<FoundObjects> {
  const found: (ChainObject | undefined)[] = []
  for (const batches of chunk(chunk(ids, perCall), BATCHES_AT_ONCE)) {
    found.push(...(await Promise.all(batches.map((batch) => readBatch(line, batch)))).flat())
  }
  return found
}

/** A full node accepts 1,000 objects per call; a provider in front of it may accept fewer. */
const isTooLarge = (failure: unknown): boolean =>
  failure instanceof Error && 'code' in failure && failure.code === 'INVALID_ARGUMENT'

async function readBatch(line: Line, ids: readonly string[]): Promise<FoundObjects> {
  try {
    return await readInOneCall(line, ids)
  } catch (failure) {
    if (ids.length > BATCH && isTooLarge(failure)) return readObjects(line, ids)
    throw failure
  }
}

async function readInOneCall({ client, ask }: Line, ids: readonly string[]): Promise<FoundObjects> {
  const requests = ids.map((objectId) => ({ objectId }))
  const readMask = { paths: OBJECT_FIELDS }
  const { objects } = await ask((options) =>
    client.ledgerService.batchGetObjects({ requests, readMask }, options),
  )
  check(objects.length === ids.length, `${ids.length} objects asked, ${objects.length} answered`)
  return objects.map((found, index) => toFoundObject(found, present(ids[index], 'an object id')))
}

async function listChildren({ client, ask }: Line, parent: string, token: Uint8Array | undefined) {
  const request = { parent, pageSize: PAGE, readMask: { paths: ['kind', 'child_id'] } }
  const { dynamicFields, nextPageToken } = await ask((options) =>
    client.stateService.listDynamicFields({ ...request, ...(token && { pageToken: token }) }, options),
  )
  return { items: dynamicFields.map(toChildId), next: nextPageToken }
}

async function readOwned(line: Line, owner: string, type: string): Promise<readonly ChainObject[]> {
  const wanted = { owner: toId(owner, 'an owner'), type: normalizeStructTag(type) }
  async function readPage(token: Uint8Array | undefined) {
    const page = await listOwned(line, owner, type, token)
    check(
      page.items.every((object) => object.type === wanted.type && object.owner === wanted.owner),
      'the list of owned objects holds others',
    )
    return page
  }
  const owned = await readPages(readPage, MAX_OWNED, tooManyOwned)
  check(new Set(owned.map(({ id }) => id)).size === owned.length, 'an owned object is listed twice')
  return owned
}

/** A refusal of the request, not a failure of the node: the address owns too many tokens. */
const tooManyOwned = (most: number): Fault =>
  wrongField('owner', `has more than ${most} staked tokens, and no more are read`, {
    instead: 'join tokens that are alike, or name tokens by their ids',
  })

async function listOwned({ client, ask }: Line, owner: string, type: string, token: Uint8Array | undefined) {
  const request = { owner, objectType: type, pageSize: PAGE, readMask: { paths: OBJECT_FIELDS } }
  const { objects, nextPageToken } = await ask((options) =>
    client.stateService.listOwnedObjects({ ...request, ...(token && { pageToken: token }) }, options),
  )
  return { items: objects.map(toObject), next: nextPageToken }
}

const tooManyListed = (most: number) => new UnusableAnswer(`a list has more than ${most} entries`)

/** Follows page tokens to the end, up to the longest list that is accepted. */
async function readPages<T>(
  read: (token: Uint8Array | undefined) => Promise<Page<T>>,
  most: number,
  tooMany: (most: number) => Error,
): Promise<readonly T[]> {
  const all: T[] = []
  let token: Uint8Array | undefined
  do {
    const page = await read(token)
    all.push(...page.items)
    if (all.length > most) throw tooMany(most)
    check(page.next === undefined || page.items.length > 0, 'a list goes on after an empty page')
    token = page.next
  } while (token !== undefined)
  return all
}

export function chunk<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  )
}
