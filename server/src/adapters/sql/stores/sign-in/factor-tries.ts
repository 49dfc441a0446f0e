import { sql, type Transaction } from 'kysely'
import type { Schema } from '../../schema.ts'

/** What a wrong second factor counts for. */
export type FactorTry = {
  /** The mailed code that it came with, or the session that it came in. */
  readonly subject: string
  readonly networkDigest: string
  /** Neither the network that asked for the mailed code nor a familiar one: these share their tries. */
  readonly isStranger: boolean
  readonly expiresAt: number
}

const STRANGERS = 'strangers'

const networkOf = ({ networkDigest, isStranger }: FactorTry) => (isStranger ? STRANGERS : networkDigest)

export async function mayTry(
  transaction: Transaction<Schema>,
  attempt: FactorTry,
  most: number,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('factor_tries')
    .select('tries')
    .where('subject', '=', attempt.subject)
    .where('network_digest', '=', networkOf(attempt))
    .executeTakeFirst()
  return (row?.tries ?? 0) < most
}

export async function countFactorTry(transaction: Transaction<Schema>, attempt: FactorTry): Promise<void> {
  await transaction
    .insertInto('factor_tries')
    .values({
      subject: attempt.subject,
      network_digest: networkOf(attempt),
      tries: 1,
      expires_at: attempt.expiresAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['subject', 'network_digest']).doUpdateSet({ tries: sql`factor_tries.tries + 1` }),
    )
    .execute()
}
