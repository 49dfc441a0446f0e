import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** Who has made the token of a session; those of before are sign-ins. */
export async function addIssuersOfSessions(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('issued_by', 'text').execute()
}
