import { ownTokens } from '#adapters/jwt/own-tokens.ts'

/** Secrets that instances on one store must share. */
export const SECRETS = {
  KEY_PEPPER: 'the pepper of these tests, which is long',
  JWT_SECRET: 'the token secret of these tests, which is long',
}

/** An admin's token, as the service would issue it. */
export async function adminToken(email = 'admin@example.com', now = Date.now()): Promise<string> {
  const needs = { secret: SECRETS.JWT_SECRET, issuer: 'stakewright', audience: 'stakewright' }
  const tokens = ownTokens({ ...needs, clock: { now: () => now } })
  return (await tokens.issue({ email, role: 'admin' })).token
}
