import { type Hide, hiderOf, SHORTEST_ANYWHERE } from '../secrets/hide-secrets.ts'
import { secretsOfHeader, secretsOfStoreUrl, secretsOfUrl } from '../secrets/secrets-of-url.ts'
import type { Values } from './variables.ts'

/**
 * Hides every configured secret in a text, as the last step before the text leaves the process. Short secrets are left
 * to the adapters that use them, because here they would garble unrelated lines.
 */
export function hideConfigured(values: Values): Hide {
  const { SUI_RPC_URLS, SUI_GRAPHQL_URL, PRICE_URL, JWT_JWKS_URL } = values
  const { DATABASE_URL, REDIS_URL, SMTP_URL } = values
  const { KEY_PEPPER, JWT_SECRET, METRICS_TOKEN, INTENT_KEYS, SUI_RPC_HEADERS } = values
  const nodes = SUI_RPC_URLS ?? []
  const byName = [...Object.values(SUI_RPC_HEADERS ?? {}), ...nodes.map(({ headers }) => headers)]
  const secrets = [
    ...[KEY_PEPPER, JWT_SECRET, METRICS_TOKEN],
    ...(INTENT_KEYS ?? []).map(({ secret }) => secret),
    ...byName.flatMap((headers) => Object.values(headers)).flatMap(secretsOfHeader),
    ...nodes.flatMap(({ url }) => secretsOfUrl(url)),
    ...definedOnly([SUI_GRAPHQL_URL, PRICE_URL, JWT_JWKS_URL]).flatMap(secretsOfUrl),
    ...definedOnly([SMTP_URL, ...(DATABASE_URL ?? []), ...(REDIS_URL ?? [])]).flatMap(secretsOfStoreUrl),
  ]
  return hiderOf(definedOnly(secrets), SHORTEST_ANYWHERE)
}

const definedOnly = (texts: readonly (string | undefined)[]): readonly string[] =>
  texts.filter((text) => text !== undefined)
