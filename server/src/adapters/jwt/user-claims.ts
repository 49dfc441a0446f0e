import type { JWTPayload } from 'jose'

/** Rules for own and external tokens. Times are in seconds, as in the token. */
export const TOKEN_RULES = {
  requiredClaims: ['iss', 'sub', 'aud', 'iat', 'exp'],
  maxTokenAge: 86_400,
  clockTolerance: 30,
}

/**
 * The address of the operator, who works on the service's machine. It has no top-level domain, so nobody can sign
 * in with it.
 */
export const OPERATOR_ADDRESS = 'operator@localhost'

const ADDRESS = /^[\x21-\x3f\x41-\x7e]{1,64}@[\x21-\x3f\x41-\x7e]{3,253}$/

/**
 * Issuer and subject in one string. The first slash separates them, because those of the issuer are percent-encoded.
 */
export function toUserId(issuer: string, subject: string): string {
  return `${encodeURIComponent(issuer)}/${subject}`
}

export function readSubject({ sub }: JWTPayload): string | undefined {
  return typeof sub === 'string' && /^[\x20-\x7e]{1,255}$/.test(sub) ? sub : undefined
}

export function readEmail({ email }: JWTPayload): string | undefined {
  return typeof email === 'string' && ADDRESS.test(email) ? email.toLowerCase() : undefined
}
