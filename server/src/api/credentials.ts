import { Fault } from '../fault.ts'
import type { Inbound } from './inbound.ts'

const BEARER = /^Bearer +([^\s]+)$/i

/**
 * The one credential of a request: `X-API-Key` or a bearer token. Two that differ are refused rather than guessed
 * between; a header that comes twice never gets here.
 */
export function credentialOf(inbound: Inbound): string | undefined {
  const key = inbound.header('x-api-key')
  const authorization = inbound.header('authorization')
  const bearer = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
  if (authorization !== undefined && bearer === undefined) {
    throw new Fault(
      'unauthorized',
      'The Authorization header must read: Bearer, a space, and the credential.',
    )
  }
  if (key !== undefined && bearer !== undefined && key !== bearer) {
    throw new Fault(
      'invalid_input',
      'X-API-Key and Authorization carry different credentials. Send only one of them.',
    )
  }
  return key ?? bearer
}

/** A user's token comes as a bearer token only: `X-API-Key` is for keys. */
export function bearerOf(inbound: Inbound): string | undefined {
  const credential = credentialOf(inbound)
  return inbound.header('authorization') === undefined ? undefined : credential
}
