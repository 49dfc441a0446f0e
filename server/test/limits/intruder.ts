import type { DatabaseSync } from 'node:sqlite'
import type pg from 'pg'

type Value = string | number
export type Row = Readonly<Record<string, unknown>>

export type LoggedBatch = {
  readonly seq: number
  readonly day: number
  readonly body: string
  readonly hash: string
  /** `place` is its place in its chain, `end` the mark at the end of that chain. */
  readonly place: number
  readonly end: string
}

export type IndexEntry = { readonly agentNo: number; readonly seq: number }

/** An attacker who can write the database and knows this program, but does not have the key. */
export type Intruder = {
  read(statement: string, ...values: readonly Value[]): Promise<readonly Row[]>
  run(statement: string, ...values: readonly Value[]): Promise<void>
  /** In the order of `seq`. */
  batches(): Promise<readonly LoggedBatch[]>
  /** Overwrites the batch with the same `seq`. */
  replace(batch: LoggedBatch): Promise<void>
  append(after: LoggedBatch, batch: LoggedBatch): Promise<void>
  /** Replaces each entry of the index of agents by the returned one; `undefined` removes it. */
  changeIndex(change: (entry: IndexEntry) => IndexEntry | undefined): Promise<void>
  /** Moves the batches behind a removed one forward by one place in its chain. */
  closeGap(gone: LoggedBatch): Promise<void>
}

const toEntry = (row: Row): IndexEntry => ({ agentNo: Number(row['agent_no']), seq: Number(row['seq']) })
const numbers = (row: Row) => ({ seq: Number(row['seq']), day: Number(row['day']) })
const texts = (row: Row) => ({ body: String(row['body']), hash: String(row['hash']) })

export function sqliteIntruder(database: DatabaseSync): Intruder {
  const run: Intruder['run'] = async (statement, ...values) => {
    database.prepare(statement).run(...values)
  }
  const read: Intruder['read'] = async (statement, ...values) => database.prepare(statement).all(...values)
  const changeIndex: Intruder['changeIndex'] = async (change) => {
    const rows = await read(
      'select agent_no, value as seq from agent_batches, json_each(seqs) order by value',
    )
    const changed = rows.flatMap((row) => change(toEntry(row)) ?? [])
    await run('delete from agent_batches')
    for (const [agentNo, entries] of Map.groupBy(changed, (entry) => entry.agentNo)) {
      const seqs = entries.map(({ seq }) => seq)
      await run('insert into agent_batches values (?, ?, ?)', agentNo, seqs.at(-1) ?? 0, JSON.stringify(seqs))
    }
  }
  return {
    read,
    run,
    async batches() {
      const rows = await read('select seq, day, body, hash from audit_batches order by seq')
      return rows.map((row) => ({
        ...numbers(row),
        ...texts(row),
        place: Number(row['seq']),
        end: 'end',
      }))
    },
    replace: ({ seq, day, body, hash }) =>
      run('update audit_batches set day = ?, body = ?, hash = ? where seq = ?', day, body, hash, seq),
    append: (_, { seq, day, body, hash }) =>
      run('insert into audit_batches values (?, ?, ?, ?)', seq, day, body, hash),
    changeIndex,
    async closeGap({ seq }) {
      await run('update audit_batches set seq = -(seq - 1) where seq > ?', seq)
      await run('update audit_batches set seq = -seq where seq < 0')
      await changeIndex((entry) => (entry.seq > seq ? { ...entry, seq: entry.seq - 1 } : entry))
    },
  }
}

export function postgresIntruder(client: pg.ClientBase): Intruder {
  const ask = async (statement: string, values: readonly Value[]): Promise<readonly Row[]> => {
    let at = 0
    const numbered = statement.replaceAll('?', () => {
      at += 1
      return `$${at}`
    })
    return (await client.query<Row>(numbered, [...values])).rows
  }
  const run: Intruder['run'] = async (statement, ...values) => {
    await ask(statement, values)
  }
  const makeDay = (day: number) =>
    run(
      `create table if not exists audit_batches_${day} partition of audit_batches for values from (${day}) to (${day + 1})`,
    )
  return {
    read: (statement, ...values) => ask(statement, values),
    run,
    async batches() {
      const rows = await ask('select * from audit_batches order by seq', [])
      return rows.map((row) => ({
        ...numbers(row),
        ...texts(row),
        place: Number(row['place']),
        end: `end ${row['day']} ${row['instance']}`,
      }))
    },
    async replace({ seq, day, body, hash }) {
      await makeDay(day)
      // An attacker who can write the database can drop its constraints, too.
      await run('alter table audit_batches drop constraint if exists audit_batches_instance_place_day_key')
      await run('update audit_batches set day = ?, body = ?, hash = ? where seq = ?', day, body, hash, seq)
    },
    append: (after, { seq, day, body, hash }) =>
      run(
        `insert into audit_batches (seq, day, instance, place, body, hash)
          select ?, ?, instance, place + 1, ?, ? from audit_batches where seq = ?`,
        seq,
        day,
        body,
        hash,
        after.seq,
      ),
    async changeIndex(change) {
      const rows = await ask(
        `select agent_no, value::bigint as seq, day
          from agent_batches cross join lateral json_array_elements_text(seqs::json) order by seq`,
        [],
      )
      await run('delete from agent_batches')
      const changed = rows.flatMap((row) => {
        const entry = change(toEntry(row))
        return entry ? [{ ...entry, day: Number(row['day']) }] : []
      })
      for (const entries of Map.groupBy(changed, ({ agentNo, day }) => `${agentNo} ${day}`).values()) {
        const [{ agentNo, day } = { agentNo: 0, day: 0 }] = entries
        const seqs = entries.map(({ seq }) => seq)
        await run(
          'insert into agent_batches values (?, ?, ?, ?)',
          agentNo,
          seqs.at(-1) ?? 0,
          day,
          JSON.stringify(seqs),
        )
      }
    },
    async closeGap({ end, place }) {
      const chain = "'end ' || day || ' ' || instance = ?"
      await run(`update audit_batches set place = -(place - 1) where ${chain} and place > ?`, end, place)
      await run(`update audit_batches set place = -place where ${chain} and place < 0`, end)
    },
  }
}
