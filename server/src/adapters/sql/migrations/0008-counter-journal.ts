import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { required } from './columns.ts'

/**
 * The journal of counters, and the view `agent_counters`: the newest counters of each agent, from the journal or its row.
 * Postgres has no journal, so its view reads the rows alone.
 */
export async function createCounterJournal(db: Kysely<Schema>): Promise<void> {
  if (isPostgres(db)) {
    await sql`create view agent_counters as select ${sql.raw(COLUMNS.join(', '))} from agent_activity`.execute(
      db,
    )
    return
  }
  await sql`alter table agent_activity add column version bigint not null default 0`.execute(db)
  await db.schema
    .createTable('counter_journal')
    .addColumn('slot', 'integer', (column) => column.primaryKey())
    .addColumn('seq', 'bigint', required)
    .addColumn('body', 'text', required)
    .execute()
  await createViews(db)
  await refuseEdits(db)
}

/** Columns in the order of a journal entry, after the agent's number. */
const COUNTS = [
  'minute_start',
  'minute_used',
  'day_start',
  'day_used',
  'last_used_at',
  'last_look_up_at',
  'last_policy_check_at',
  'latest_day',
  'tools',
  'built',
  'built_aware',
]
const COLUMNS = ['agent_no', ...COUNTS]

/** A journal entry counts if it can be read and is newer than the agent's row. */
async function createViews(db: Kysely<Schema>): Promise<void> {
  const values = COUNTS.map((column, place) => `value ->> ${place + 1} as ${column}`)
  await sql`create view unfolded_counters as
    select newest.* from (
      select cast(value ->> 0 as integer) as agent_no, max(seq) as version, ${sql.raw(values.join(', '))}
      from counter_journal, json_each(case when json_valid(body) then body else '[]' end)
      where case when type = 'array' then json_array_length(value) end = ${sql.lit(COLUMNS.length)}
      group by 1
    ) newest join agent_activity a on a.agent_no = newest.agent_no and a.version < newest.version`.execute(db)
  const newest = COUNTS.map((column) => `coalesce(u.${column}, a.${column}) as ${column}`)
  // Materialised, so that the journal is unpacked once, not for each agent; integer keys let the join look agents up.
  await sql`create view agent_counters as
    with unfolded as materialized (select * from unfolded_counters)
    select a.agent_no, ${sql.raw(newest.join(', '))}
    from agent_activity a left join unfolded u on u.agent_no = a.agent_no`.execute(db)
}

/**
 * Refuses edits of counters by others while the journal has entries, because folding it would overwrite them. Admission
 * uses `insert or replace`, which fires neither trigger.
 */
async function refuseEdits(db: Kysely<Schema>): Promise<void> {
  for (const action of ['update', 'delete'])
    await sql`create trigger ${sql.ref(`agent_activity_${action}`)} before ${sql.raw(action)} on agent_activity
      when exists (select 1 from counter_journal where json_valid(body))
      begin
        select raise(abort, ${sql.lit(EDIT_REFUSED)});
      end`.execute(db)
}

const EDIT_REFUSED =
  'counter_journal has newer counters than agent_activity: let the service stop by itself (after a crash, start it first), then change them'
