import { ROUTES } from '@stakewright/contract/routes'
import type { ReservedShare } from '#domain/limits/reserved-share.ts'
import type { Logger } from '#ports/logger.ts'
import { overloaded } from './refusals.ts'
import type { RequestHead } from './request-head.ts'

/** Finds the key or token in the headers, if one has the right form. */
export type CredentialIn = (headers: RequestHead['headers']) => Credential | undefined

type Credential = { readonly text: string; readonly kind: 'key' | 'token' }

type Route = { readonly method: string; readonly path: string }

export type BreakerRules = {
  readonly isSignInOrRevoke: (head: RequestHead) => boolean
  readonly share: ReservedShare
  readonly credentialIn: CredentialIn
  readonly logger: Logger
}

type BreakerState = { readonly isOpen: boolean; readonly changed: boolean }

/** Routes by which owners sign in and anybody revokes a leaked key. */
const SIGN_IN_OR_REVOKE: readonly Route[] = [
  ROUTES.requestCode,
  ROUTES.walletChallenge,
  ROUTES.exchangeCode,
  ROUTES.reportLeak,
  ROUTES.revokeSelf,
]

/** Whether a request may be one to sign in or to revoke a key. `others` are such routes besides the API's. */
export function matchSignInOrRevoke(others: readonly Route[]): BreakerRules['isSignInOrRevoke'] {
  const routes = new Set([...SIGN_IN_OR_REVOKE, ...others].map(({ method, path }) => `${method} ${path}`))
  return ({ method, url = '' }) => routes.has(`${method} ${url.split('?', 1)[0]}`)
}

/**
 * Refuses requests while the breaker is open, except those with a credential, within the reserved share, and a few
 * sign-in requests of each address.
 */
export function refuseWhenOpen(
  rules: BreakerRules,
  state: BreakerState,
  now: number,
  client: string,
  head?: RequestHead,
) {
  const { share, credentialIn, logger } = rules
  logChange(logger, state)
  if (!state.isOpen) return undefined
  if (head === undefined) return overloaded()
  const credential = credentialIn(head.headers)
  const isSignInOrRevoke = credential?.kind === 'token' || rules.isSignInOrRevoke(head)
  return share.passes({ client, credential: credential?.text, isSignInOrRevoke }, now)
    ? undefined
    : overloaded()
}

export function logChange(logger: Logger, { changed, isOpen }: BreakerState): void {
  if (changed) logger.warn(isOpen ? 'breaker opened' : 'breaker closed')
}
