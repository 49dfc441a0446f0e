import { GrpcTypes, type SuiGrpcClient } from '@mysten/sui/grpc'
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils'
import { check, present, toId, toWhole, UnusableAnswer } from './decode.ts'

export type NodeInfo = {
  readonly chainId: string
  readonly chainName: string
  readonly checkpoint: number
  readonly checkpointAt: number
}

export type ChainObject = {
  readonly id: string
  readonly version: string
  readonly type: string
  readonly contents: Uint8Array
  /** The address that owns it; undefined for shared objects and those inside other objects. */
  readonly owner: string | undefined
  readonly initialSharedVersion: string | undefined
}

/** A run of questions to one endpoint. Every answer is checked; each has its own deadline. */
export type Conversation = {
  readonly info: NodeInfo
  /** The oldest checkpoint that an answer of this conversation was given at, and its time. */
  oldest(): { readonly checkpoint: number; readonly checkpointAt: number }
  object(id: string): Promise<ChainObject>
  /** In the order asked; undefined for what does not exist. */
  objects(ids: readonly string[]): Promise<readonly (ChainObject | undefined)[]>
  /** The ids of the objects in an `ObjectTable`. */
  childrenOf(tableId: string): Promise<readonly string[]>
  ownedBy(owner: string, type: string): Promise<readonly ChainObject[]>
  epoch(): Promise<GrpcTypes.Epoch>
}

export type ConversationLimits = { readonly callMs: number }

type Answer = { readonly headers: Readonly<Record<string, string | string[]>> }
type Moment = { readonly checkpoint: number; readonly checkpointAt: number }

const BATCH = 50
const BATCHES_AT_ONCE = 4
const PAGE = 500
const MAX_LISTED = 5_000
const OBJECT_FIELDS = ['object_id', 'version', 'owner', 'object_type', 'contents']
const EPOCH_FIELDS = ['epoch', 'system_state']
const NOT_FOUND = 5

export async function startConversation(
  client: SuiGrpcClient,
  limits: ConversationLimits,
  signal: AbortSignal,
): Promise<Conversation> {
  const deadline = () => ({ abort: AbortSignal.any([signal, AbortSignal.timeout(limits.callMs)]) })
  const info = toNodeInfo((await client.ledgerService.getServiceInfo({}, deadline())).response)
  let oldest = { checkpoint: info.checkpoint, checkpointAt: info.checkpointAt }
  const heard = <T extends Answer>(answer: T): T => {
    oldest = olderOf(oldest, answer, info)
    return answer
  }

  async function batch(ids: readonly string[]): Promise<readonly (ChainObject | undefined)[]> {
    const { response } = heard(
      await client.ledgerService.batchGetObjects(
        { requests: ids.map((objectId) => ({ objectId })), readMask: { paths: OBJECT_FIELDS } },
        deadline(),
      ),
    )
    check(
      response.objects.length === ids.length,
      `${ids.length} objects asked, ${response.objects.length} answered`,
    )
    return response.objects.map((found, index) => toFoundObject(found, present(ids[index], 'an object id')))
  }

  async function objects(ids: readonly string[]) {
    const batches = chunk(ids, BATCH)
    const found: (ChainObject | undefined)[] = []
    for (const some of chunk(batches, BATCHES_AT_ONCE)) {
      found.push(...(await Promise.all(some.map(batch))).flat())
    }
    return found
  }

  async function listChildren(parent: string, pageToken: Uint8Array | undefined) {
    const { response } = heard(
      await client.stateService.listDynamicFields(
        {
          parent,
          pageSize: PAGE,
          ...(pageToken && { pageToken }),
          readMask: { paths: ['kind', 'child_id'] },
        },
        deadline(),
      ),
    )
    return { items: response.dynamicFields.map(toChildId), next: response.nextPageToken }
  }

  async function listOwned(owner: string, objectType: string, pageToken: Uint8Array | undefined) {
    const { response } = heard(
      await client.stateService.listOwnedObjects(
        {
          owner,
          objectType,
          pageSize: PAGE,
          ...(pageToken && { pageToken }),
          readMask: { paths: OBJECT_FIELDS },
        },
        deadline(),
      ),
    )
    return { items: response.objects.map(toObject), next: response.nextPageToken }
  }

  return {
    info,
    oldest: () => oldest,
    objects,
    async object(id) {
      const [found] = await objects([id])
      return present(found, `object ${id}`)
    },
    childrenOf: (tableId) => readPages((token) => listChildren(tableId, token)),
    async ownedBy(owner, type) {
      const found = await readPages((token) => listOwned(owner, type, token))
      const wanted = normalizeStructTag(type)
      check(
        found.every((object) => object.type === wanted && object.owner === normalizeSuiAddress(owner)),
        'the list of owned objects holds others',
      )
      return found
    },
    async epoch() {
      const { response } = heard(
        await client.ledgerService.getEpoch({ readMask: { paths: EPOCH_FIELDS } }, deadline()),
      )
      return present(response.epoch, 'the epoch')
    },
  }
}

/** Behind one address there may be many nodes, some of them late; full nodes say in headers how far they are. */
function olderOf(oldest: Moment, { headers }: Answer, info: NodeInfo): Moment {
  const checkpoint = Number(headers['x-sui-checkpoint-height'] ?? oldest.checkpoint)
  const checkpointAt = Number(headers['x-sui-timestamp-ms'] ?? oldest.checkpointAt)
  check(Number.isSafeInteger(checkpoint), 'the checkpoint height of an answer is not a number')
  check(Number.isSafeInteger(checkpointAt), 'the checkpoint time of an answer is not a number')
  check((headers['x-sui-chain-id'] ?? info.chainId) === info.chainId, 'answers come from different chains')
  return {
    checkpoint: Math.min(oldest.checkpoint, checkpoint),
    checkpointAt: Math.min(oldest.checkpointAt, checkpointAt),
  }
}

/** Follows page tokens to the end; a list that repeats itself or has no end is refused. */
async function readPages<T>(
  read: (token: Uint8Array | undefined) => Promise<{ items: readonly T[]; next: Uint8Array | undefined }>,
): Promise<readonly T[]> {
  const all: T[] = []
  let token: Uint8Array | undefined
  do {
    const page = await read(token)
    all.push(...page.items)
    check(all.length <= MAX_LISTED, `a list has more than ${MAX_LISTED} entries`)
    check(page.next === undefined || page.items.length > 0, 'a list goes on after an empty page')
    token = page.next
  } while (token !== undefined)
  return all
}

function toNodeInfo(answer: GrpcTypes.GetServiceInfoResponse): NodeInfo {
  const timestamp = present(answer.timestamp, 'the time of the checkpoint')
  return {
    chainId: present(answer.chainId, 'the chain id'),
    chainName: present(answer.chain, 'the name of the chain'),
    checkpoint: toWhole(present(answer.checkpointHeight, 'the checkpoint'), 'the checkpoint'),
    checkpointAt:
      toWhole(timestamp.seconds * 1000n, 'the checkpoint time') + Math.floor(timestamp.nanos / 1e6),
  }
}

function toFoundObject(found: GrpcTypes.GetObjectResult, id: string): ChainObject | undefined {
  const { result } = found
  if (result.oneofKind === 'error' && result.error.code === NOT_FOUND) return undefined
  if (result.oneofKind !== 'object') throw new UnusableAnswer(`object ${id} cannot be read`)
  const object = toObject(result.object)
  check(object.id === normalizeSuiAddress(id), `object ${id} was asked, ${object.id} answered`)
  return object
}

function toObject(object: GrpcTypes.Object): ChainObject {
  const { Owner_OwnerKind: kinds } = GrpcTypes
  const { owner } = object
  const ownedByAddress = owner?.kind === kinds.ADDRESS || owner?.kind === kinds.CONSENSUS_ADDRESS
  return {
    id: toId(object.objectId, 'an object id'),
    version: String(present(object.version, 'an object version')),
    type: toStructTag(present(object.objectType, 'an object type')),
    contents: present(object.contents?.value, 'the contents of an object'),
    owner: ownedByAddress ? toId(owner.address, 'the owner of an object') : undefined,
    initialSharedVersion: owner?.kind === kinds.SHARED ? owner.version?.toString() : undefined,
  }
}

function toStructTag(type: string): string {
  try {
    return normalizeStructTag(type)
  } catch (cause) {
    throw new UnusableAnswer('the type of an object cannot be read', { cause })
  }
}

function toChildId(field: GrpcTypes.DynamicField): string {
  check(
    field.kind === GrpcTypes.DynamicField_DynamicFieldKind.OBJECT,
    'an entry of a table of objects is none',
  )
  return toId(field.childId, 'the id of an object in a table')
}

function chunk<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  )
}
