import type { Kysely, Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { SignInCodes } from '#ports/users.ts'
import { queueCappedMail } from './mail-queue.ts'
import { chargeLimits } from './registration-limits.ts'
import type { Schema } from './schema.ts'

type Needs = { readonly db: Kysely<Schema>; readonly secrets: Pick<Secrets, 'seal'> }

/** Each method is one transaction. Codes that are over are removed whenever one is issued or tried. */
export function sqlSignInCodes({ db, secrets }: Needs): SignInCodes {
  return {
    issue: ({ addressDigest, codeDigest, now, expiresAt, mail, mailCap, limits }) => {
      const sealed = secrets.seal(JSON.stringify(mail))
      return db.transaction().execute(async (transaction) => {
        const reached = await chargeLimits(transaction, limits)
        if (reached) return { kind: 'limited', retryAt: reached.retryAt }
        await removeOver(transaction, now)
        // Without a mail there is no new code either: the one that was mailed before stays good.
        if (!(await queueCappedMail(transaction, sealed, mailCap))) return { kind: 'issued' }
        const code = { code_digest: codeDigest, expires_at: expiresAt, tries: 0 }
        await transaction
          .insertInto('sign_in_codes')
          .values({ address_digest: addressDigest, ...code })
          .onConflict((conflict) => conflict.column('address_digest').doUpdateSet(code))
          .execute()
        return { kind: 'issued' }
      })
    },
    redeem: (addressDigest, codeDigest, now, maxTries) =>
      db.transaction().execute(async (transaction) => {
        await removeOver(transaction, now)
        // Counting comes first and locks the row: however many tries come at once, each waits for the one before.
        const code = await transaction
          .updateTable('sign_in_codes')
          .set((row) => ({ tries: row('tries', '+', 1) }))
          .where('address_digest', '=', addressDigest)
          .where('tries', '<', maxTries)
          .returning('code_digest')
          .executeTakeFirst()
        if (code?.code_digest !== codeDigest) return false
        await transaction.deleteFrom('sign_in_codes').where('address_digest', '=', addressDigest).execute()
        return true
      }),
  }
}

async function removeOver(transaction: Transaction<Schema>, now: number): Promise<void> {
  await transaction.deleteFrom('sign_in_codes').where('expires_at', '<=', now).execute()
}
