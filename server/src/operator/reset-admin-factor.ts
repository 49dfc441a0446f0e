import { LIMITS } from '@stakewright/contract'
import { toUserId } from '#adapters/jwt/user-claims.ts'
import { followStoreTime } from '#adapters/sql/store-time.ts'
import { sqlAdminFactors } from '#adapters/sql/stores/sign-in/admin-factors.ts'
import { followingClock } from '#adapters/system/following-clock.ts'
import { loadSecret } from '#adapters/system/secrets.ts'
import { systemClock } from '#adapters/system/system-clock.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { OPERATOR } from '#domain/agents/manager.ts'
import { factorRecord } from '#domain/users/second-factor.ts'
import { ownIssuer } from '#wiring/open-adapters.ts'
import { openStore } from '#wiring/open-store.ts'
import type { Config } from '../config.ts'
import { refusal } from '../fault.ts'
import { refuseEmptyFolder } from './operator.ts'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

/** For an admin who has lost the app and the recovery codes. With the embedded store the service must be stopped. */
export async function resetAdminFactor(config: Config, email: string): Promise<void> {
  if (config.database.kind === 'sqlite') refuseEmptyFolder(config.database.folder)
  await using store = await openStore(config, SILENT)
  const pepper = await loadSecret(config.dataDir, 'key-pepper', config.keys.pepper)
  const secrets = openSecrets({ keyPrefix: config.keys.prefix, pepper })
  const clock = followingClock({ own: systemClock })
  await followStoreTime(store.db, clock)
  const userId = toUserId(ownIssuer(config.tokens).issuer, email)
  const record = factorRecord(secrets, 'reset-totp', {
    email,
    at: clock.now(),
    actor: OPERATOR,
    client: 'localhost',
    via: 'cli',
    mailsPerDay: LIMITS.noticeMailsPerDay,
  })
  if (await sqlAdminFactors({ db: store.db, secrets }).reset(userId, record)) return
  throw refusal('not_found', `${email} has no authenticator app enrolled here.`, 'Check the address.')
}
