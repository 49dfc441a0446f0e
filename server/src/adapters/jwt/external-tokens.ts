import type { JWTPayload } from 'jose'
import { JOSEError } from 'jose/errors'
import { jwtVerify } from 'jose/jwt/verify'
import type { Clock } from '#ports/clock.ts'
import type { User } from '#ports/stores/users.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import { readEmail, readSubject, TOKEN_RULES, toUserId } from './user-claims.ts'

type Settings = {
  readonly keys: IssuerKeys
  readonly issuer: string
  readonly audience: string
  /** In lower case. */
  readonly adminEmails: ReadonlySet<string>
  readonly clock: Clock
}

/** Asymmetric algorithms only, because with an HMAC algorithm the public key would work as the secret. */
export const EXTERNAL_ALGORITHMS: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** Token types that identify a user; others, such as logout tokens, are refused. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt']

/** Verifies tokens of an OIDC issuer. Undefined for an invalid token; throws if the issuer's key cannot be fetched. */
export function externalTokens({ keys, issuer, audience, adminEmails, clock }: Settings) {
  return {
    async verify(token: string): Promise<User | undefined> {
      const verified = await jwtVerify(token, (header) => keys.find(header), {
        ...TOKEN_RULES,
        algorithms: [...EXTERNAL_ALGORITHMS],
        issuer,
        audience,
        currentDate: new Date(clock.now()),
      }).catch(refuseInvalid)
      if (!verified || !TYPES.includes(verified.protectedHeader.typ?.toLowerCase())) return undefined
      return toUser(verified.payload, issuer, adminEmails)
    },
  }
}

/** Only a JOSE error means an invalid token; others are bugs or outages. */
function refuseInvalid(error: unknown): undefined {
  if (!(error instanceof JOSEError)) throw error
}

function toUser(claims: JWTPayload, issuer: string, adminEmails: ReadonlySet<string>): User | undefined {
  const subject = readSubject(claims)
  if (!subject) return undefined
  const email = claims['email_verified'] === true ? readEmail(claims) : undefined
  const isAdmin = claims['role'] === 'admin' || (email !== undefined && adminEmails.has(email))
  return { id: toUserId(issuer, subject), email, role: isAdmin ? 'admin' : 'user' }
}
