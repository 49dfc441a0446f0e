import { JOSEError } from 'jose/errors'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import type { Clock } from '#ports/clock.ts'
import type { SessionIssuer } from '#ports/stores/sessions.ts'
import type { User, UserTokens } from '#ports/stores/users.ts'
import { OPERATOR_ADDRESS, readEmail, readSubject, TOKEN_RULES, toUserId } from './user-claims.ts'

type Settings = {
  readonly secret: string
  readonly issuer: string
  readonly audience: string
  readonly clock: Clock
  /** In lower case. The role of a token is looked up here at each use. */
  readonly adminEmails?: ReadonlySet<string>
}

export const OWN_ALGORITHM = 'HS256'
const TYPE = 'JWT'
/** A day, because code mails per address are limited, so that users cannot sign in every hour. */
const LIFETIME_SECONDS = 86_400
/** The length of the SHA-256 digest: a shorter key would weaken the HMAC. */
const MIN_SECRET_BYTES = 32

/** Issues and verifies the service's own tokens. */
export function ownTokens(settings: Settings): UserTokens {
  const { secret, issuer, audience, clock, adminEmails = new Set<string>() } = settings
  const key = new TextEncoder().encode(secret)
  if (key.byteLength < MIN_SECRET_BYTES)
    throw new TypeError(`JWT_SECRET must have at least ${MIN_SECRET_BYTES} characters`)

  return {
    userIdOf: (address) => toUserId(issuer, address),
    async issue({ role, ...who }, session) {
      const subject = 'email' in who ? who.email : who.wallet
      const now = Math.floor(clock.now() / 1000)
      const token = await new SignJWT({ ...who, role, ...(session && sessionClaims(session)) })
        .setProtectedHeader({ alg: OWN_ALGORITHM, typ: TYPE })
        .setSubject(subject)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(now + LIFETIME_SECONDS)
        .sign(key)
      return { token, userId: toUserId(issuer, subject), expiresInSeconds: LIFETIME_SECONDS }
    },
    async verify(token) {
      try {
        const currentDate = new Date(clock.now())
        const rules = { ...TOKEN_RULES, algorithms: [OWN_ALGORITHM], typ: TYPE, issuer, currentDate }
        const { payload } = await jwtVerify(token, key, { ...rules, audience })
        // jose also accepts a list with this audience, but this service never signs a list.
        return payload.aud === audience
          ? withSession(payload, toUser(payload, issuer), adminEmails)
          : undefined
      } catch (error) {
        if (error instanceof JOSEError) return undefined
        throw error
      }
    },
  }
}

/** Value of the `amr` claim for a sign-in with a second factor (RFC 8176). */
const WITH_FACTOR = 'mfa'

const sessionClaims = ({ id, hasFactor, issuedBy }: NonNullable<Parameters<UserTokens['issue']>[1]>) => ({
  sid: id,
  ...(hasFactor && { amr: [WITH_FACTOR] }),
  ...(issuedBy === 'operator' && { issued_by: issuedBy }),
})

/** The form of a session id; other values are refused without asking the store. */
const SESSION_ID = /^\w{1,64}$/

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

/** Adds the session of the token, if it has one, and the present role. A malformed session makes the token invalid. */
function withSession(
  { sid, iat, amr, issued_by }: Claims,
  user: User | undefined,
  adminEmails: ReadonlySet<string>,
): User | undefined {
  if (sid === undefined || !user) return user
  if (typeof sid !== 'string' || !SESSION_ID.test(sid) || iat === undefined) return undefined
  const hasFactor = Array.isArray(amr) && amr.includes(WITH_FACTOR)
  const issuedBy: SessionIssuer = issued_by === 'operator' ? 'operator' : 'sign-in'
  const isAdmin =
    adminEmails.has(user.email ?? '') || (issuedBy === 'operator' && user.email === OPERATOR_ADDRESS)
  const session = { id: sid, signedInAt: iat * 1_000, hasFactor, issuedBy }
  return { ...user, role: isAdmin ? 'admin' : 'user', session }
}
