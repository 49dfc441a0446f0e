import { GrpcTypes } from '@mysten/sui/grpc'
import { normalizeStructTag } from '@mysten/sui/utils'
import { check, present, toId, toLine, toWhole, UnusableAnswer } from '../layouts/decode.ts'

/** The messages of a full node as types of this service. Fields that the wire format makes optional are checked. */
export type NodeInfo = {
  readonly chainId: string
  readonly chainName: string
  readonly checkpoint: number
  readonly checkpointAt: number
  /** The epoch of Sui itself, also for Ika and Walrus; undefined if the node does not send it. */
  readonly epoch: number | undefined
}

export type Moment = Pick<NodeInfo, 'checkpoint' | 'checkpointAt'>

export type ChainObject = {
  readonly id: string
  readonly version: string
  readonly type: string
  readonly contents: Uint8Array
  /** The address that owns it; undefined for shared objects and those inside other objects. */
  readonly owner: string | undefined
  readonly initialSharedVersion: string | undefined
}

const NOT_FOUND = 5

export function toNodeInfo(answer: GrpcTypes.GetServiceInfoResponse): NodeInfo {
  const timestamp = present(answer.timestamp, 'the time of the checkpoint')
  const nanoseconds = timestamp.seconds * 1_000_000_000n + BigInt(timestamp.nanos)
  return {
    chainId: present(answer.chainId, 'the chain id'),
    chainName: toLine(present(answer.chain, 'the name of the chain'), 64),
    checkpoint: toWhole(present(answer.checkpointHeight, 'the checkpoint'), 'the checkpoint'),
    checkpointAt: toWhole(nanoseconds / 1_000_000n, 'the time of the checkpoint'),
    epoch: answer.epoch === undefined ? undefined : toWhole(answer.epoch, 'the epoch of the chain'),
  }
}

/**
 * Behind one URL there may be several nodes, some of them lagging; the headers of each answer contain its checkpoint.
 */
export function olderMoment(
  oldest: Moment,
  headers: Readonly<Record<string, string | string[]>>,
  info: NodeInfo,
): Moment {
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

/** Checks that the object is the requested one; undefined if it does not exist. */
export function toFoundObject({ result }: GrpcTypes.GetObjectResult, id: string): ChainObject | undefined {
  if (result.oneofKind === 'error' && result.error.code === NOT_FOUND) return undefined
  if (result.oneofKind !== 'object') throw new UnusableAnswer(`object ${id} cannot be read`)
  const object = toObject(result.object)
  check(object.id === toId(id, 'an object id'), `object ${id} was asked, ${object.id} answered`)
  return object
}

export function toObject(object: GrpcTypes.Object): ChainObject {
  const { ADDRESS, CONSENSUS_ADDRESS, SHARED } = GrpcTypes.Owner_OwnerKind
  const { owner } = object
  const ownedByAddress = owner?.kind === ADDRESS || owner?.kind === CONSENSUS_ADDRESS
  return {
    id: toId(object.objectId, 'an object id'),
    version: String(present(object.version, 'an object version')),
    type: toStructTag(present(object.objectType, 'an object type')),
    contents: present(object.contents?.value, 'the contents of an object'),
    owner: ownedByAddress ? toId(owner.address, 'the owner of an object') : undefined,
    initialSharedVersion: owner?.kind === SHARED ? owner.version?.toString() : undefined,
  }
}

export function toChildId(field: GrpcTypes.DynamicField): string {
  check(
    field.kind === GrpcTypes.DynamicField_DynamicFieldKind.OBJECT,
    'an entry of a table of objects is none',
  )
  return toId(field.childId, 'the id of an object in a table')
}

function toStructTag(type: string): string {
  try {
    return normalizeStructTag(type)
  } catch (cause) {
    throw new UnusableAnswer('the type of an object cannot be read', { cause })
  }
}
