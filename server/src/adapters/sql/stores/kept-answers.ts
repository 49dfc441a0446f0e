import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { DoneRequest } from '#ports/stores/done-requests.ts'
import { Fault } from '../../../fault.ts'

/**
 * Whoever can write the database but lacks the pepper cannot choose what a repeat is answered, such as a transaction for
 * an agent to sign. The seal stands behind the digest of the input: a version before, which knows of none, takes it for
 * another input and refuses.
 */

type Kept = Pick<DoneRequest, 'digest' | 'requestDigest' | 'answer'>

export type AnswerNeeds = {
  readonly secrets: Pick<Secrets, 'digest'>
  readonly logger: Pick<Logger, 'error'>
}

/** The digest of the input with the seal of the answer, as it is stored. */
export const sealRequest = (
  secrets: Pick<Secrets, 'digest'>,
  { digest, requestDigest, answer }: Kept,
): string => `${requestDigest} ${secrets.digest('request', JSON.stringify([digest, requestDigest, answer]))}`

/** The digest of the input; refuses an answer that is not the one that was given. */
export function openRequest(
  { secrets, logger }: AnswerNeeds,
  stored: Pick<Kept, 'digest' | 'answer'> & { readonly request: string },
): string {
  const { digest, answer, request } = stored
  const requestDigest = request.slice(0, Math.max(0, request.lastIndexOf(' ')))
  if (request === sealRequest(secrets, { digest, requestDigest, answer })) return requestDigest
  logger.error(
    'what a repeated request is answered was not written by this service: the repeat is refused',
    new Error('its seal is not that of its content'),
  )
  const fix = 'Send another key, and tell the operator of the service.'
  throw new Fault(
    'forbidden',
    `What a request with this \`Idempotency-Key\` was answered was changed outside of the service. ${fix}`,
    { fix },
  )
}
