import type { Transaction } from 'kysely'
import type { RedeemedChallenge, WalletChallenges } from '#ports/chain/wallets.ts'
import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Database, Schema } from '../../schema.ts'
import { dropSome } from '../drop-expired.ts'
import { insertSession } from './sessions.ts'

type Needs = {
  readonly db: Database
  readonly secrets: Pick<Secrets, 'digest' | 'seal' | 'open'>
  readonly logger: Pick<Logger, 'error'>
}

type Challenge = Pick<Parameters<WalletChallenges['issue']>[0], 'nonce' | 'address' | 'message' | 'expiresAt'>

/**
 * Each text is sealed with its nonce, address and expiry: write access to the database is not enough to have a text
 * accepted that the wallet signed elsewhere or earlier. Issuing a challenge deletes some expired ones.
 */
export function sqlWalletChallenges({ db, secrets, logger }: Needs): WalletChallenges {
  const textOf = (sealed: string, expected: Omit<Challenge, 'message'>): string | undefined => {
    const message = unseal(secrets, sealed, expected)
    if (message === undefined)
      logger.error(
        'a wallet challenge was changed outside the service and is ignored',
        new Error('its MAC does not match its content'),
      )
    return message
  }

  return {
    issue: ({ now, ...challenge }) =>
      db.transaction().execute(async (transaction) => {
        // Anybody can ask for challenges: the upkeep, which keeps expired rows for days, would come too late.
        await dropSome(transaction, 'wallet_challenges', ['nonce'], 'expires_at', now)
        await transaction
          .insertInto('wallet_challenges')
          .values({
            nonce: digestOf(secrets, challenge.nonce),
            address: challenge.address,
            message: seal(secrets, challenge),
            expires_at: challenge.expiresAt,
          })
          .execute()
      }),
    read: async (nonce, address, now) => {
      const row = await db
        .selectFrom('wallet_challenges')
        .select(['message', 'expires_at'])
        .where('nonce', '=', digestOf(secrets, nonce))
        .where('address', '=', address)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row && textOf(row.message, { nonce, address, expiresAt: row.expires_at })
    },
    redeem: (challenge, begins) =>
      db.transaction().execute(async (transaction) => {
        const isRedeemed = await redeemChallenge(transaction, secrets, challenge)
        if (isRedeemed && begins) await insertSession(transaction, secrets, begins)
        return isRedeemed
      }),
  }
}

/** One statement, so that only one of several concurrent tries gets the row. */
export async function redeemChallenge(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  { nonce, address, now }: RedeemedChallenge,
): Promise<boolean> {
  const row = await transaction
    .deleteFrom('wallet_challenges')
    .where('nonce', '=', digestOf(secrets, nonce))
    .where('address', '=', address)
    .where('expires_at', '>', now)
    .returning('nonce')
    .executeTakeFirst()
  return row !== undefined
}

const digestOf = (secrets: Pick<Secrets, 'digest'>, nonce: string) => secrets.digest('challenge', nonce)

/** Separates challenges from all other texts sealed with the same key. */
const PURPOSE = 'wallet challenge'

const seal = (secrets: Needs['secrets'], { nonce, address, expiresAt, message }: Challenge): string =>
  secrets.seal(JSON.stringify([PURPOSE, nonce, address, expiresAt, message]))

function unseal(
  secrets: Needs['secrets'],
  sealed: string,
  expected: Omit<Challenge, 'message'>,
): string | undefined {
  try {
    const [purpose, nonce, address, expiresAt, message]: unknown[] = JSON.parse(secrets.open(sealed))
    const isSame =
      purpose === PURPOSE &&
      nonce === expected.nonce &&
      address === expected.address &&
      expiresAt === expected.expiresAt
    return isSame && typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}
