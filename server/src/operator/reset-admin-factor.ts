import { LIMITS } from '@stakewright/contract'
import { toUserId } from '#adapters/jwt/user-claims.ts'
import { sqlAdminFactors } from '#adapters/sql/stores/sign-in/admin-factors.ts'
import { OPERATOR } from '#domain/agents/manager.ts'
import { factorRecord } from '#domain/users/second-factor.ts'
import { ownIssuer } from '#wiring/open-adapters.ts'
import type { Config } from '../config.ts'
import { refusal } from '../fault.ts'
import { openOperatedStore } from './operated-store.ts'

/** For an admin who has lost the app and the recovery codes. With the embedded store the service must be stopped. */
export async function resetAdminFactor(config: Config, email: string): Promise<void> {
  await using store = await openOperatedStore(config)
  const { db, secrets, clock } = store
  const userId = toUserId(ownIssuer(config.tokens).issuer, email)
  const record = factorRecord(secrets, 'reset-totp', {
    email,
    at: clock.now(),
    actor: OPERATOR,
    client: 'localhost',
    via: 'cli',
    mailsPerDay: LIMITS.noticeMailsPerDay,
  })
  if (await sqlAdminFactors({ db, secrets }).reset(userId, record)) return
  throw refusal('not_found', `${email} has no authenticator app enrolled here.`, 'Check the address.')
}
