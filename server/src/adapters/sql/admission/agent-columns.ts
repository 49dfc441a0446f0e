import type { AgentByKeyRow, CountersRow } from './rows.ts'

/**
 * Columns that admission reads of an agent. The select list and the reader of its values are made from one table, so
 * their order cannot differ.
 */
type ColumnGroup<Row> = {
  readonly select: string
  readonly width: number
  /** The row whose values begin at `start`, or undefined if the join found none. */
  readonly read: (values: readonly unknown[], start: number) => Row | undefined
}

/** The alias of a table whose column is named like the field, or `alias.column` where the names differ. */
type Source = 'a' | 'k' | 'v' | 'a.mac' | 'k.id'

/** `sources`: the source of each field, beginning with a column that is never null in an existing row. */
function columnGroup<Row extends object>(
  sources: Readonly<Record<keyof Row & string, Source>>,
): ColumnGroup<Row> {
  const fields = Object.keys(sources)
  const columns = Object.entries<Source>(sources).map(([field, source]) =>
    source.includes('.') ? source : `${source}.${field}`,
  )
  const empty = Object.fromEntries(fields.map((field) => [field, null]))
  return {
    select: columns.join(', '),
    width: fields.length,
    read(values, start) {
      if (values[start] === null) return undefined
      // Filling a copy that has all fields is faster than adding them to an empty object.
      const row: Record<string, unknown> = { ...empty }
      let at = start
      for (const field of fields) row[field] = values[at++]
      return toRow<Row>(row)
    },
  }
}

/** Guaranteed by the select list, which has the columns in the order of the fields. */
const toRow = <Row>(row: unknown): Row => row as Row

/** A key (`k`) and its agent (`a`). */
export const AGENT = columnGroup<AgentByKeyRow>({
  no: 'a',
  id: 'a',
  owner: 'a',
  tier: 'a',
  status: 'a',
  rpm: 'a',
  rpd: 'a',
  verify_by: 'a',
  policy_revision: 'a',
  agent_mac: 'a.mac',
  digest: 'k',
  valid_until: 'k',
  key_id: 'k.id',
  scopes: 'k',
  networks: 'k',
  mac: 'k',
})

/** The agent's counters (`v`). An agent that was never used has none. */
export const COUNTERS = columnGroup<CountersRow>({
  minute_start: 'v',
  minute_used: 'v',
  day_start: 'v',
  day_used: 'v',
  last_used_at: 'v',
  last_look_up_at: 'v',
  last_policy_check_at: 'v',
  latest_day: 'v',
  tools: 'v',
  built: 'v',
  built_aware: 'v',
})
