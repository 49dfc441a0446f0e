import { refusal } from '../fault.ts'

const BEARER = /^Bearer +([^\s]+)$/i

/** The token of an `Authorization` header; other schemes than Bearer are refused. */
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
