import { bcs } from '@mysten/sui/bcs'
import { deriveDynamicFieldID } from '@mysten/sui/utils'
import type { Conversation } from '../connection/conversation.ts'
import type { ChainObject } from '../connection/messages.ts'
import { present } from '../layouts/decode.ts'

/**
 * Reads a system object and its state, which is a dynamic field whose key is the version in the object. As long as the
 * version is unchanged, both are read with one call.
 */
export function openVersionedState(objectId: string, versionOf: (contents: Uint8Array) => number) {
  let last: number | undefined
  const fieldOf = (version: number) =>
    deriveDynamicFieldID(objectId, 'u64', bcs.u64().serialize(version).toBytes())

  return async (
    talk: Conversation,
  ): Promise<{ readonly object: ChainObject; readonly state: ChainObject }> => {
    const ids = last === undefined ? [objectId] : [objectId, fieldOf(last)]
    const [found, field] = await talk.objects(ids)
    const object = present(found, `object ${objectId}`)
    const version = versionOf(object.contents)
    const state = version === last && field ? field : await talk.object(fieldOf(version))
    last = version
    return { object, state }
  }
}
