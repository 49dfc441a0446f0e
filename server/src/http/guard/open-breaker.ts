import { ROUTES } from '@stakewright/contract/routes'
import type { ReservedShare } from '#domain/limits/reserved-share.ts'
import type { Logger } from '#ports/logger.ts'
import { MCP_PATH } from '../json-rpc-error.ts'
import { overloaded } from './refusals.ts'
import type { RequestHead } from './request-head.ts'

/** Finds the key or token in the headers, if one has the right form. */
export type CredentialIn = (headers: RequestHead['headers']) => Credential | undefined

type Credential = { readonly text: string; readonly kind: 'key' | 'token' }

export type BreakerRules = {
  readonly share: ReservedShare
  readonly credentialIn: CredentialIn
  readonly logger: Logger
}

type BreakerState = { readonly isOpen: boolean; readonly changed: boolean }

/**
 * Routes by which owners sign in and anybody revokes a leaked key. MCP is among them because the key may be in the
 * body.
 */
const WAYS_IN: ReadonlySet<string> = new Set(
  [
    ROUTES.requestCode,
    ROUTES.walletChallenge,
    ROUTES.exchangeCode,
    ROUTES.reportLeak,
    ROUTES.revokeSelf,
    { method: 'POST', path: MCP_PATH },
  ].map(({ method, path }) => `${method} ${path}`),
)

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
  const isWayIn = credential?.kind === 'token' || WAYS_IN.has(routeOf(head))
  return share.passes({ client, credential: credential?.text, isWayIn }, now) ? undefined : overloaded()
}

export function logChange(logger: Logger, { changed, isOpen }: BreakerState): void {
  if (changed) logger.warn(isOpen ? 'breaker opened' : 'breaker closed')
}

const routeOf = ({ method, url = '' }: RequestHead) => `${method} ${url.split('?', 1)[0]}`
