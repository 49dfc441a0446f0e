import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** The issuer of a session's token; existing sessions are sign-ins. */
export async function addIssuersOfSessions(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('issued_by', 'text').execute()
}
