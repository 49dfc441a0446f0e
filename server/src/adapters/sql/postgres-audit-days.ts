import { sql, type Transaction } from 'kysely'
import { takeTurn } from './engine.ts'
import type { Database, Schema } from './schema.ts'

const TABLES = ['audit_batches', 'audit_agents'] as const

/** The parts of the audit log, one per UTC day, made before they are needed and dropped whole. */
export function openAuditDays(db: Database) {
  const ready = new Set<number>()
  return {
    /** For the day and those beside it: the clock of the store may be in another one. */
    async prepare(day: number): Promise<void> {
      const missing = [day - 1, day, day + 1].filter((near) => !ready.has(near))
      if (missing.length === 0) return
      await db.transaction().execute(async (transaction) => {
        await takeTurn(transaction, 'audit days')
        for (const absent of missing) {
          for (const table of TABLES) await createPart(transaction, table, absent)
        }
      })
      for (const absent of missing) ready.add(absent)
    },
    forget(): void {
      ready.clear()
    },
  }
}

const partOf = (table: (typeof TABLES)[number], day: number) => `${table}_${day}`

async function createPart(db: Database, table: (typeof TABLES)[number], day: number): Promise<void> {
  const part = sql.id(partOf(table, day))
  const range = sql`from (${sql.lit(day)}) to (${sql.lit(day + 1)})`
  await sql`create table if not exists ${part} partition of ${sql.table(table)} for values ${range}`.execute(
    db,
  )
}

/** The days that the log has parts for, oldest first. */
export async function listAuditDays(db: Database): Promise<readonly number[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_batches'::regclass`.execute(db)
  return rows.map(({ name }) => Number(name.slice('audit_batches_'.length))).sort((a, b) => a - b)
}

/** In a transaction that has its turn with the days. */
export async function dropAuditDay(transaction: Transaction<Schema>, day: number): Promise<void> {
  for (const table of TABLES) {
    await sql`drop table if exists ${sql.id(partOf(table, day))}`.execute(transaction)
  }
}
