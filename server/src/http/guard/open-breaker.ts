import type { AddressBudget } from '@stakewright/contract'
import type { ReservedShare } from '#domain/limits/reserved-share.ts'
import type { Logger } from '#ports/logger.ts'
import { overloaded } from './refusals.ts'
import type { RequestHead } from './request-head.ts'
import { counterOf, type Sender } from './sender.ts'

/** Finds the key or token in the headers, if one has the right form. */
export type CredentialIn = (headers: RequestHead['headers']) => Credential | undefined

type Credential = { readonly text: string; readonly kind: 'key' | 'token' }

export type BreakerRules = {
  /** Whether a request outside the API, such as a message of MCP, may be one to sign in or to revoke a key. */
  readonly mayRevoke: (head: RequestHead) => boolean
  readonly share: ReservedShare
  readonly credentialIn: CredentialIn
  readonly logger: Logger
}

type BreakerState = { readonly isOpen: boolean; readonly changed: boolean }

/**
 * Refuses requests while the breaker is open, except those with a credential, within the reserved share, and a few
 * sign-in requests of each address.
 */
export function refuseWhenOpen(rules: BreakerRules, state: BreakerState, now: number, sender: Sender) {
  const { share, credentialIn, logger } = rules
  logChange(logger, state)
  if (!state.isOpen) return undefined
  const { budget, head } = sender
  if (head === undefined) return overloaded()
  const credential = credentialIn(head.headers)
  const isSignInOrRevoke = credential?.kind === 'token' || isOpenTo(budget) || rules.mayRevoke(head)
  return share.passes({ client: counterOf(sender), credential: credential?.text, isSignInOrRevoke }, now)
    ? undefined
    : overloaded()
}

/** The budgets whose requests need no token. A request with a user's token passes because of the token. */
const isOpenTo = (budget: AddressBudget | undefined): boolean =>
  budget === 'sign-in' || budget === 'key-revocation'

export function logChange(logger: Logger, { changed, isOpen }: BreakerState): void {
  if (changed) logger.warn(isOpen ? 'breaker opened' : 'breaker closed')
}
