import { LIMITS } from '@stakewright/contract'
import { ownTokens } from '#adapters/jwt/own-tokens.ts'
import { OPERATOR_ADDRESS } from '#adapters/jwt/user-claims.ts'
import { sqlSessions } from '#adapters/sql/stores/sign-in/sessions.ts'
import { systemClock } from '#adapters/system/system-clock.ts'
import { issueToken } from '#domain/users/sessions.ts'
import type { Clock } from '#ports/clock.ts'
import { ownIssuer } from '#wiring/open-adapters.ts'
import type { Config } from '../config.ts'
import { refusal } from '../fault.ts'
import { openOperatedStore, refuseEmptyFolder } from './operated-store.ts'
import { presentSecret } from './present-secrets.ts'

export type IssuedToken = {
  readonly token: string
  readonly sessionId: string
  readonly email: string
  readonly expiresInSeconds: number
}

/**
 * Issues a token for the management endpoints, for the operator or an admin. Its session is stored before it is
 * returned, so that it can be listed and ended. The service may be running or not.
 */
export async function issueAdminToken(
  config: Config,
  email = OPERATOR_ADDRESS,
  own: Clock = systemClock,
): Promise<IssuedToken> {
  const { database, dataDir, tokens } = config
  if (email !== OPERATOR_ADDRESS && !tokens.adminEmails.includes(email)) throw noAdmin(email)
  if (database.kind === 'sqlite') refuseEmptyFolder(database.folder)
  const secret = await presentSecret('jwt-secret', dataDir, tokens.secret)
  await using store = await openOperatedStore(config, { alongside: true, own })
  const { db, secrets, clock } = store
  const issue = issueToken({
    sessions: sqlSessions(db, secrets),
    tokens: ownTokens({ secret, ...ownIssuer(tokens), clock }),
    secrets,
    clock,
    most: LIMITS.sessionsPerUser,
  })
  return { ...(await issue(email)), email }
}

const noAdmin = (email: string) =>
  refusal(
    'invalid_input',
    `${email} is not in ADMIN_EMAILS, so its token would be no admin's.`,
    'Add it there, for the service and for this command, or leave out --email: the token is then that of the operator.',
  )
