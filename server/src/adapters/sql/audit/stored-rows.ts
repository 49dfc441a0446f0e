import type { Secrets } from '#ports/secrets.ts'
import type { Engine } from './verify/verify-tables.ts'

export type Digests = Pick<Secrets, 'digest'>

type Which = { readonly agentNo?: number; readonly order?: string }

/** The tables of a store, at one moment. Of a table that there is not, as in a store of an earlier version, no rows. */
export type StoredRows = {
  readonly engine: Engine
  tables(): Promise<ReadonlySet<string>>
  /** In the order of a column where one is given; of one agent where that is given. */
  read(table: string, which?: Which): Promise<readonly unknown[]>
  /** The numbers of the agents that a table speaks of. */
  agentsIn(table: string): Promise<readonly number[]>
}

type Ask = (question: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** `listTables` asks for the names of all tables. */
export function storedRows(engine: Engine, ask: Ask, listTables: string): StoredRows {
  let known: ReadonlySet<string> | undefined
  const tables = async () => {
    known ??= new Set((await ask(listTables)).map(({ name }) => String(name)))
    return known
  }
  const askIn = async (table: string, question: string) => ((await tables()).has(table) ? ask(question) : [])
  return {
    engine,
    tables,
    read: (table, { agentNo, order } = {}) => {
      const where = agentNo === undefined ? '' : ` where agent_no = ${agentNo}`
      return askIn(table, `select * from ${table}${where}${order ? ` order by ${order}` : ''}`)
    },
    agentsIn: async (table) =>
      (await askIn(table, `select distinct agent_no from ${table}`)).map((row) => Number(row['agent_no'])),
  }
}

/** The columns of the tables are what `Schema` says; a value that was changed to another type fails its MAC. */
export const toRows = <Row>(rows: readonly unknown[]): readonly Row[] => rows as readonly Row[]
