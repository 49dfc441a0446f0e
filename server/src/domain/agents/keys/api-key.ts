import type { Secrets } from '#ports/secrets.ts'
import type { KeyRecord } from '#ports/stores/agents.ts'

/** The length of the prefix of a key that may be shown later; over 190 of its random bits stay secret. */
const SHOWN_CHARACTERS = 12

/** A new key, which is shown once, and the record that is stored. */
type IssuedKey = { readonly apiKey: string; readonly record: KeyRecord }

export function issueKey(secrets: Secrets): IssuedKey {
  const apiKey = secrets.newApiKey()
  const record = { digest: secrets.digest('key', apiKey), prefix: apiKey.slice(0, SHOWN_CHARACTERS) }
  return { apiKey, record }
}
