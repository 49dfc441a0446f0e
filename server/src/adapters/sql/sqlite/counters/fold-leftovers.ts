import type { DatabaseSync } from 'node:sqlite'
import { COUNTER_COLUMNS } from './counter-rows.ts'

const COLUMNS = COUNTER_COLUMNS.split(', ')

/**
 * Folds the entries that a killed service has left in the journal. An unreadable commit stays in it, so that `audit
 * verify` reports it.
 */
export function foldLeftovers(database: DatabaseSync): void {
  if (!database.prepare('select 1 from counter_journal limit 1').get()) return
  const values = COLUMNS.map((column) => `coalesce(u.${column}, a.${column})`)
  database.exec(`
    begin immediate;
    insert or replace into agent_activity (agent_no, version, ${COUNTER_COLUMNS})
      select a.agent_no, u.version, ${values.join(', ')}
      from unfolded_counters u join agent_activity a on a.agent_no = u.agent_no;
    delete from counter_journal where json_valid(body);
    commit`)
}
