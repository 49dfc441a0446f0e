import type { WalletChallenges } from '#ports/chain/wallets.ts'
import type { Database } from '../../schema.ts'

/** Issuing a challenge deletes all expired ones. */
export function sqlWalletChallenges({ db }: { readonly db: Database }): WalletChallenges {
  return {
    issue: ({ nonce, address, message, expiresAt, now }) =>
      db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('wallet_challenges').where('expires_at', '<=', now).execute()
        await transaction
          .insertInto('wallet_challenges')
          .values({ nonce, address, message, expires_at: expiresAt })
          .execute()
      }),
    read: async (nonce, address, now) => {
      const row = await db
        .selectFrom('wallet_challenges')
        .select('message')
        .where('nonce', '=', nonce)
        .where('address', '=', address)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row?.message
    },
    // One statement, so that only one of several concurrent tries gets the row.
    redeem: async (nonce, address, now) => {
      const row = await db
        .deleteFrom('wallet_challenges')
        .where('nonce', '=', nonce)
        .where('address', '=', address)
        .where('expires_at', '>', now)
        .returning('message')
        .executeTakeFirst()
      return row?.message
    },
  }
}
