import type { Secrets } from '#ports/secrets.ts'
import type { Engine } from './verify/verify-tables.ts'

export type Digests = Pick<Secrets, 'digest'>

type RowFilter = { readonly agentNo?: number; readonly order?: string }

/** The tables of a store in one snapshot. A missing table, as in an older store, has no rows. */
export type StoredRows = {
  readonly engine: Engine
  tables(): Promise<ReadonlySet<string>>
  /** Rows of a table, optionally of one agent and ordered by a column. */
  read(table: string, filter?: RowFilter): Promise<readonly unknown[]>
  /** The distinct agent numbers in a table. */
  agentsIn(table: string): Promise<readonly number[]>
}

type RunQuery = (query: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** `listTables` is the query for all table names. */
export function storedRows(engine: Engine, run: RunQuery, listTables: string): StoredRows {
  let known: ReadonlySet<string> | undefined
  const tables = async () => {
    known ??= new Set((await run(listTables)).map(({ name }) => String(name)))
    return known
  }
  const runOn = async (table: string, query: string) => ((await tables()).has(table) ? run(query) : [])
  return {
    engine,
    tables,
    read: (table, { agentNo, order } = {}) => {
      const where = agentNo === undefined ? '' : ` where agent_no = ${agentNo}`
      return runOn(table, `select * from ${table}${where}${order ? ` order by ${order}` : ''}`)
    },
    agentsIn: async (table) =>
      (await runOn(table, `select distinct agent_no from ${table}`)).map((row) => Number(row['agent_no'])),
  }
}

/** Rows have the columns of `Schema`; a value of another type fails its MAC. */
export const toRows = <Row>(rows: readonly unknown[]): readonly Row[] => rows as readonly Row[]
