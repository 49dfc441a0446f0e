import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { CompletedRequest } from '#ports/stores/completed-requests.ts'
import { Fault, term } from '../../../fault.ts'

/**
 * Answers are sealed, so that nobody without the pepper can plant one, such as a transaction for an agent to
 * sign. The seal is appended to the digest of the input: versions without seals take it for another input and
 * refuse.
 */

type StoredAnswer = Pick<CompletedRequest, 'digest' | 'requestDigest' | 'answer'>

export type AnswerNeeds = {
  readonly secrets: Pick<Secrets, 'digest'>
  readonly logger: Pick<Logger, 'error'>
}

/** The stored form: digest of the input and seal of the answer. */
export const sealRequest = (
  secrets: Pick<Secrets, 'digest'>,
  { digest, requestDigest, answer }: StoredAnswer,
): string => `${requestDigest} ${secrets.digest('request', JSON.stringify([digest, requestDigest, answer]))}`

/** Returns the digest of the input; throws if the answer's seal is wrong. */
export function openRequest(
  { secrets, logger }: AnswerNeeds,
  stored: Pick<StoredAnswer, 'digest' | 'answer'> & { readonly request: string },
): string {
  const { digest, answer, request } = stored
  const requestDigest = request.slice(0, Math.max(0, request.lastIndexOf(' ')))
  if (request === sealRequest(secrets, { digest, requestDigest, answer })) return requestDigest
  logger.error(
    'a stored answer was changed outside the service: the repeat is refused',
    new Error('its MAC does not match its content'),
  )
  const fix = 'Send another key, and tell the operator of the service.'
  throw new Fault(
    'forbidden',
    `The stored answer for this \`${term('idempotencyKey')}\` was changed outside of the service. ${fix}`,
    { fix },
  )
}
