import type pg from 'pg'

type Row = Readonly<Record<string, unknown>>

const ROWS_PER_FETCH = 1_000

/** Reads rows through a cursor, so that they need not fit into memory. Needs an open transaction. */
export async function* fetchRows(
  client: pg.ClientBase,
  name: string,
  query: string,
  values: readonly unknown[] = [],
): AsyncGenerator<Row, undefined> {
  await client.query(`declare ${name} no scroll cursor for ${query}`, [...values])
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${ROWS_PER_FETCH} from ${name}`)
    yield* rows
    if (rows.length < ROWS_PER_FETCH) break
  }
  await client.query(`close ${name}`)
  return undefined
}
