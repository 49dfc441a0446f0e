import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'
import { listAuditDays } from '../postgres/audit/partitions.ts'
import type { Schema } from '../schema.ts'

/**
 * An entry of the index of agents names several batches, now also in Postgres. The next reader indexes the batches
 * that the log already has.
 */
export async function createAgentBatches(db: Kysely<Schema>): Promise<void> {
  if (!isPostgres(db)) return
  await sql`
    create table agent_batches (
      agent_no integer not null, last_seq bigint not null, day integer not null, seqs text not null,
      primary key (agent_no, last_seq, day)
    ) partition by range (day)`.execute(db)
  for (const day of await listAuditDays(db))
    await sql`create table ${sql.ref(`agent_batches_${day}`)} partition of agent_batches
      for values from (${sql.lit(day)}) to (${sql.lit(day + 1)})`.execute(db)
}
