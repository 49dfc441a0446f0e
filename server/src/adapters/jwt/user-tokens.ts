import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { UserTokens } from '#ports/stores/users.ts'
import { EXTERNAL_ALGORITHMS, externalTokens } from './external-tokens.ts'
import { openIssuerKeys } from './issuer-keys.ts'
import { OWN_ALGORITHM, ownTokens } from './own-tokens.ts'
import { readTokenShape } from './token-shape.ts'

type Settings = {
  readonly secret: string
  readonly issuer: string
  readonly audience: string
  /** An OIDC issuer whose tokens are accepted, too. */
  readonly external:
    | { readonly jwksUrl: string; readonly issuer: string; readonly audience: string }
    | undefined
  /** In lower case. */
  readonly adminEmails: ReadonlySet<string>
  readonly clock: Clock
  readonly logger: Logger
  readonly timeoutMs?: number | undefined
}

type OpenUserTokens = UserTokens &
  AsyncDisposable & {
    /** To be run at the start and every `REFRESH_KEYS_MS`: fetches the external issuer's keys, if there is one. */
    refreshKeys(): Promise<void>
  }

export const REFRESH_KEYS_MS = 300_000

/**
 * Own tokens and those of one external issuer. Algorithm and issuer of a token decide which of the two verifies it, so
 * no key is used with two kinds of algorithms, and tokens of other issuers cause no fetch.
 */
export function openUserTokens(settings: Settings): OpenUserTokens {
  const own = ownTokens(settings)
  const outside = settings.external && openExternal(settings, settings.external)
  return {
    issue: own.issue,
    userIdOf: own.userIdOf,
    async verify(token) {
      const shape = readTokenShape(token)
      if (!shape) return undefined
      if (shape.algorithm === OWN_ALGORITHM)
        return shape.issuer === settings.issuer ? own.verify(token) : undefined
      if (!outside || shape.issuer !== outside.issuer) return undefined
      return EXTERNAL_ALGORITHMS.includes(shape.algorithm) ? outside.tokens.verify(token) : undefined
    },
    async refreshKeys() {
      await outside?.keys.refresh()
    },
    async [Symbol.asyncDispose]() {
      await outside?.keys[Symbol.asyncDispose]()
    },
  }
}

function openExternal(settings: Settings, external: NonNullable<Settings['external']>) {
  if (external.issuer === settings.issuer)
    throw new TypeError('With JWT_JWKS_URL, JWT_ISSUER must be the name of that issuer, not our own')
  const { clock, logger, timeoutMs, adminEmails } = settings
  const keys = openIssuerKeys({ url: external.jwksUrl, clock, logger, timeoutMs })
  const { issuer, audience } = external
  return { issuer, keys, tokens: externalTokens({ keys, issuer, audience, adminEmails, clock }) }
}
