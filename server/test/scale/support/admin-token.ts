import { ownTokens } from '#adapters/jwt/own-tokens.ts'

/** What instances that share a store must have in common. */
export const SECRETS = {
  KEY_PEPPER: 'the pepper of these tests, which is long',
  JWT_SECRET: 'the token secret of these tests, which is long',
}

/** A token as the service itself would have issued it. */
export async function adminToken(email = 'admin@example.com', now = Date.now()): Promise<string> {
  const needs = { secret: SECRETS.JWT_SECRET, issuer: 'stakewright', audience: 'stakewright' }
  const tokens = ownTokens({ ...needs, clock: { now: () => now } })
  return (await tokens.issue({ email, role: 'admin' })).token
}
