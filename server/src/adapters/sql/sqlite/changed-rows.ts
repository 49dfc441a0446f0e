import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'

/** Rows that were written, but not by admission: cached rows with these keys are outdated. */
export type ChangedRows = {
  /** Digests of keys whose own row, or whose agent's row, was changed. */
  readonly keys: ReadonlySet<string>
  /** Agents whose counters were changed. */
  readonly counters: ReadonlySet<number>
  /** Users whose counters were changed. */
  readonly users: ReadonlySet<string>
}

type RowWatch = {
  /**
   * The rows that were changed since the last transaction of admission. Call it inside the present one, before any
   * write.
   */
  take(): ChangedRows | 'anything'
  /** Call it at the end of a transaction of admission, whose own writes do not count as changes. */
  ignoreOwn(): void
}

/**
 * Watches the rows that admission caches. Triggers report each row that this connection changes, in any part of the
 * service. They are temporary, so other programs neither have them nor can remove them. A commit of another
 * connection changes `data_version` and may have changed anything.
 */
export function watchRows(database: DatabaseSync): RowWatch {
  const version = database.prepare('pragma data_version')
  version.setReturnArrays(true)
  let lastVersion: unknown
  const { rows, clear } = reportChanges(database)
  return {
    take() {
      const now = toArray(version.get())[0]
      // This transaction holds the write lock: no other can commit before it ends.
      const isOurs = now === lastVersion
      lastVersion = now
      return isOurs ? rows : 'anything'
    },
    ignoreOwn: clear,
  }
}

/** Guaranteed by `setReturnArrays`; the pragma returns exactly one row. */
const toArray = (row: unknown): readonly unknown[] => row as readonly unknown[]

/** Rows of a transaction that is rolled back are reported as well. That only causes another read. */
function reportChanges(database: DatabaseSync) {
  const [keys, counters, users] = [new Set<string>(), new Set<number>(), new Set<string>()]
  const report = (name: string, note: (key: SQLOutputValue) => unknown) =>
    database.function(name, (key) => {
      note(key)
      return null
    })
  report('key_changed', (digest) => keys.add(String(digest)))
  report('counters_changed', (agentNo) => counters.add(Number(agentNo)))
  report('user_changed', (userId) => users.add(String(userId)))
  for (const [event, reports] of TRIGGERS)
    database.exec(`create temp trigger "${event}" after ${event} begin select ${reports}; end`)
  return {
    rows: { keys, counters, users },
    clear() {
      for (const changed of [keys, counters, users]) if (changed.size > 0) changed.clear()
    },
  }
}

/**
 * Missing rows are not cached, so most insertions change nothing. An insertion can replace a key. Admission itself
 * writes the counters of agents by replacing rows, which fires none of these triggers.
 */
const TRIGGERS = [
  ['update on main.agents', 'key_changed(digest) from main.agent_keys where agent_no in (old.no, new.no)'],
  ['delete on main.agents', 'key_changed(digest) from main.agent_keys where agent_no = old.no'],
  ['insert on main.agent_keys', 'key_changed(new.digest)'],
  ['update on main.agent_keys', 'key_changed(old.digest), key_changed(new.digest)'],
  ['delete on main.agent_keys', 'key_changed(old.digest)'],
  ['update on main.agent_activity', 'counters_changed(old.agent_no), counters_changed(new.agent_no)'],
  ['delete on main.agent_activity', 'counters_changed(old.agent_no)'],
  ['update on main.user_activity', 'user_changed(old.user_id), user_changed(new.user_id)'],
  ['delete on main.user_activity', 'user_changed(old.user_id)'],
] as const
