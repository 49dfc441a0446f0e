import { ROUTES } from '@stakewright/contract/routes'
import type { ReservedShare } from '#domain/limits/reserved-share.ts'
import type { Logger } from '#ports/logger.ts'
import { overloaded } from './refusals.ts'
import type { RequestHead } from './request-head.ts'

/** Finds the key or token in the headers, if one has the right form. */
export type CredentialIn = (headers: RequestHead['headers']) => Credential | undefined

type Credential = { readonly text: string; readonly kind: 'key' | 'token' }

type Way = { readonly method: string; readonly path: string }

export type BreakerRules = {
  readonly isWayIn: (head: RequestHead) => boolean
  readonly share: ReservedShare
  readonly credentialIn: CredentialIn
  readonly logger: Logger
}

type BreakerState = { readonly isOpen: boolean; readonly changed: boolean }

/** Routes by which owners sign in and anybody revokes a leaked key. */
const WAYS_IN: readonly Way[] = [
  ROUTES.requestCode,
  ROUTES.walletChallenge,
  ROUTES.exchangeCode,
  ROUTES.reportLeak,
  ROUTES.revokeSelf,
]

/** Whether a request may be one to sign in or to revoke a key. `others` are such routes besides the API's. */
export function waysIn(others: readonly Way[]): BreakerRules['isWayIn'] {
  const routes = new Set([...WAYS_IN, ...others].map(({ method, path }) => `${method} ${path}`))
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
  const isWayIn = credential?.kind === 'token' || rules.isWayIn(head)
  return share.passes({ client, credential: credential?.text, isWayIn }, now) ? undefined : overloaded()
}

export function logChange(logger: Logger, { changed, isOpen }: BreakerState): void {
  if (changed) logger.warn(isOpen ? 'breaker opened' : 'breaker closed')
}
