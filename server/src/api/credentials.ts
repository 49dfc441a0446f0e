import { refusal } from '../fault.ts'

/** The secrets sent with a call: an API key, and a bearer token, which may be an API key too. */
export type Credentials = {
  readonly apiKey: string | undefined
  readonly bearer: string | undefined
  /**
   * The name of a query parameter that looks like a secret. Secrets in URLs are never read; the name is for the
   * refusal.
   */
  readonly inUrl?: () => string | undefined
}

/** The first parameter name that looks like that of a secret. */
export const secretAmong = (names: readonly string[]): string | undefined =>
  names.find((name) => SECRET_NAMES.test(name))

const SECRET_NAMES = /^(?:x[_-]?)?(?:api[_-]?key|key|access[_-]?token|token|authorization)$/i

/** The credential of a call. Two that differ are refused, because either may be the one that is meant. */
export function credentialOf({ apiKey, bearer }: Credentials): string | undefined {
  if (apiKey !== undefined && bearer !== undefined && apiKey !== bearer) {
    throw refusal(
      'invalid_input',
      'X-API-Key and Authorization carry different credentials.',
      'Send only one of them.',
    )
  }
  return apiKey ?? bearer
}

/** A user token is accepted as a bearer token only, because `X-API-Key` is for API keys. */
export function userTokenOf(credentials: Credentials): string | undefined {
  credentialOf(credentials)
  return credentials.bearer
}
