import { JOSEError } from 'jose/errors'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import type { Clock } from '#ports/clock.ts'
import type { User, UserTokens } from '#ports/stores/users.ts'
import { readEmail, readSubject, TOKEN_RULES, toUserId } from './user-claims.ts'

type Settings = {
  readonly secret: string
  readonly issuer: string
  readonly audience: string
  readonly clock: Clock
}

export const OWN_ALGORITHM = 'HS256'
const TYPE = 'JWT'
/** A day: an address gets three mails a day at most, so that nobody can be asked to sign in every hour. */
const LIFETIME_SECONDS = 86_400
/** As many bytes as the digest has: fewer would be easier to guess than the digest is to break. */
const MIN_SECRET_BYTES = 32

/** Tokens that this service signs and believes by itself. */
export function ownTokens({ secret, issuer, audience, clock }: Settings): UserTokens {
  const key = new TextEncoder().encode(secret)
  if (key.byteLength < MIN_SECRET_BYTES)
    throw new TypeError(`JWT_SECRET must have at least ${MIN_SECRET_BYTES} characters`)

  return {
    async issue({ role, ...who }) {
      const subject = 'email' in who ? who.email : who.wallet
      const now = Math.floor(clock.now() / 1000)
      const token = await new SignJWT({ ...who, role })
        .setProtectedHeader({ alg: OWN_ALGORITHM, typ: TYPE })
        .setSubject(subject)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(now + LIFETIME_SECONDS)
        .sign(key)
      return { token, expiresInSeconds: LIFETIME_SECONDS }
    },
    async verify(token) {
      try {
        const currentDate = new Date(clock.now())
        const rules = { ...TOKEN_RULES, algorithms: [OWN_ALGORITHM], typ: TYPE, issuer, currentDate }
        const { payload } = await jwtVerify(token, key, { ...rules, audience })
        // A list of audiences is somebody else's way of writing: this service never signs one.
        return payload.aud === audience ? toUser(payload, issuer) : undefined
      } catch (error) {
        if (error instanceof JOSEError) return undefined
        throw error
      }
    },
  }
}

type Claims = Awaited<ReturnType<typeof jwtVerify>>['payload']

function toUser(claims: Claims, issuer: string): User | undefined {
  const subject = readSubject(claims)
  const email = readEmail(claims)
  const role = claims['role']
  const { wallet } = claims
  if (subject && typeof wallet === 'string' && wallet === subject && role === 'user') {
    return { id: toUserId(issuer, subject), email: undefined, wallet, role }
  }
  if (!subject || !email || email !== subject || (role !== 'user' && role !== 'admin')) return undefined
  return { id: toUserId(issuer, subject), email, role }
}
