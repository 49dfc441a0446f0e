import { refusal } from '../fault.ts'

/** The secrets that came with a call: an API key by its own name, and a bearer token, which may be a key too. */
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

/** The one credential of a call. Two that differ are refused: guessing which one is meant would be wrong half the time. */
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

/** A user's token is a bearer token only: `X-API-Key` is for keys. */
export function userTokenOf(credentials: Credentials): string | undefined {
  credentialOf(credentials)
  return credentials.bearer
}

const BEARER = /^Bearer +([^\s]+)$/i

/** The token of an `Authorization` value, in which no other scheme is accepted. */
export function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const bearer = BEARER.exec(authorization)?.[1]
  if (bearer !== undefined) return bearer
  throw refusal(
    'unauthorized',
    'The Authorization header has no bearer token.',
    'Send Authorization: Bearer, a space, and the user token or API key that this call takes.',
  )
}
