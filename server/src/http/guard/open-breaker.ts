import type { ReservedShare } from '#domain/limits/reserved-share.ts'
import type { Logger } from '#ports/logger.ts'
import type { Exchange } from '../wire/exchange.ts'
import { overloaded } from './refusals.ts'

/** The text that a request brings as its key or token, if it has the form of one. */
export type CredentialIn = (headers: Exchange['request']['headers']) => string | undefined

export type BreakerRules = {
  readonly share: ReservedShare
  readonly credentialIn: CredentialIn
  readonly logger: Logger
}

type BreakerState = { readonly isOpen: boolean; readonly changed: boolean }

/**
 * Refuses a request while the breaker is open. One with a credential that was proven before goes on within the reserved
 * share.
 */
export function refuseWhenOpen(rules: BreakerRules, state: BreakerState, now: number, exchange?: Exchange) {
  const { share, credentialIn, logger } = rules
  if (state.changed) logger.warn(state.isOpen ? 'breaker opened' : 'breaker closed')
  if (!state.isOpen) return undefined
  const credential = exchange && credentialIn(exchange.request.headers)
  return credential !== undefined && share.passes(credential, now) ? undefined : overloaded()
}
