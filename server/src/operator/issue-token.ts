import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ownTokens } from '#adapters/jwt/own-tokens.ts'
import { OPERATOR_ADDRESS } from '#adapters/jwt/user-claims.ts'
import { openSqliteAlongside } from '#adapters/sql/sqlite/open-alongside.ts'
import { followStoreTime } from '#adapters/sql/store-time.ts'
import { checkPepper } from '#adapters/sql/stores/keys/pepper.ts'
import { sqlSessions } from '#adapters/sql/stores/sign-in/sessions.ts'
import { followingClock } from '#adapters/system/following-clock.ts'
import { loadSecret } from '#adapters/system/secrets.ts'
import { systemClock } from '#adapters/system/system-clock.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { issueToken } from '#domain/users/sessions.ts'
import type { Clock } from '#ports/clock.ts'
import { ownIssuer } from '#wiring/open-adapters.ts'
import { openStore } from '#wiring/open-store.ts'
import type { Config } from '../config.ts'
import { refusal } from '../fault.ts'
import { refuseEmptyFolder } from './operator.ts'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

export type IssuedToken = {
  readonly token: string
  readonly sessionId: string
  readonly email: string
  readonly expiresInSeconds: number
}

/**
 * A token for the management endpoints, of the operator or of one of the admins. Its session is in the store before it
 * is returned, so it can be listed and ended; the service may be running or not.
 */
export async function issueAdminToken(
  config: Config,
  email = OPERATOR_ADDRESS,
  own: Clock = systemClock,
): Promise<IssuedToken> {
  const { database, dataDir, tokens, keys } = config
  if (email !== OPERATOR_ADDRESS && !tokens.adminEmails.includes(email)) throw noAdmin(email)
  if (database.kind === 'sqlite') refuseEmptyFolder(database.folder)
  const secret = await presentSecret(dataDir, 'jwt-secret', 'JWT_SECRET', tokens.secret)
  const pepper = await presentSecret(dataDir, 'key-pepper', 'KEY_PEPPER', keys.pepper)
  const secrets = openSecrets({ keyPrefix: keys.prefix, pepper })
  await using store =
    database.kind === 'sqlite' ? await openSqliteAlongside(database.folder) : await openStore(config, SILENT)
  const { db } = store
  await checkPepper(db, secrets)
  const clock = followingClock({ own })
  await followStoreTime(db, clock)
  const issue = issueToken({
    sessions: sqlSessions(db, secrets),
    tokens: ownTokens({ secret, ...ownIssuer(tokens), clock }),
    secrets,
    clock,
  })
  return { ...(await issue(email)), email }
}

const noAdmin = (email: string) =>
  refusal(
    'invalid_input',
    `${email} is not in ADMIN_EMAILS, so its token would be no admin's.`,
    'Add it there, for the service and for this command, or leave out --email: the token is then that of the operator.',
  )

/** Reads the secret that the service uses; a new one would sign tokens that the service refuses. */
function presentSecret(folder: string, file: string, variable: string, given?: string): Promise<string> {
  if (given !== undefined || existsSync(join(folder, file))) return loadSecret(folder, file, given)
  throw refusal(
    'not_found',
    `There is no ${file} in ${folder}.`,
    `Set ${variable} as the service has it, or run this on its machine with its DATA_DIR.`,
  )
}
