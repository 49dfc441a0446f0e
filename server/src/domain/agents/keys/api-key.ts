import type { Secrets } from '#ports/secrets.ts'
import type { KeyRecord } from '#ports/stores/agents.ts'

/** How much of a key may be shown later, to recognise it by: over 190 of its random bits stay unknown. */
const SHOWN_CHARACTERS = 12

/** The key, to be shown once, and what is kept of it. */
type IssuedKey = { readonly apiKey: string; readonly record: KeyRecord }

export function issueKey(secrets: Secrets): IssuedKey {
  const apiKey = secrets.newApiKey()
  const record = { digest: secrets.digest('key', apiKey), prefix: apiKey.slice(0, SHOWN_CHARACTERS) }
  return { apiKey, record }
}
