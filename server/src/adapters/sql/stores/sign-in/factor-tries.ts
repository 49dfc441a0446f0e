import { sql, type Transaction } from 'kysely'
import type { Schema } from '../../schema.ts'

/** The counter that a wrong second factor is charged to. */
type FactorTry = {
  /** The mailed code or the session that it was sent with. */
  readonly subject: string
  readonly networkDigest: string
  /** The network neither requested the mailed code nor is familiar: all such networks share one counter. */
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
