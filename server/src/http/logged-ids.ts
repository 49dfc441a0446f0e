import { PREVIOUS_KEY_ID } from '@stakewright/contract'
import type { NotedIds } from '#api/call.ts'
import { isIdOf } from '../secrets/id-form.ts'

/**
 * The ids that may be in the log. A caller may send any text where an id belongs, also a code or an e-mail address by
 * mistake, so a text in another form is left out.
 */
export function loggedIds({ agentId, keyId }: NotedIds): NotedIds {
  return {
    ...(agentId !== undefined && isIdOf('agt', agentId) && { agentId }),
    ...(keyId !== undefined && (keyId === PREVIOUS_KEY_ID || isIdOf('key', keyId)) && { keyId }),
  }
}
