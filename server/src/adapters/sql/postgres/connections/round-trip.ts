import pg from 'pg'

/** A named prepared statement. It returns one JSON value, or nothing. */
export type Statement = { readonly name: string; readonly text: string }
export type Step = readonly [statement: Statement, values: readonly (string | number | null)[]]

/**
 * Sends all steps in one write with one `Sync`, so that the server answers in one piece too. The driver's own
 * queries cost a write, an answer and a dozen objects each, more than their content. After the first step
 * that fails the server skips the rest. Returns the answer to each.
 */
export async function makeRoundTrip(
  client: pg.Client,
  prepared: Set<string>,
  steps: readonly Step[],
): Promise<readonly unknown[]> {
  const answers = await new Promise<readonly string[]>((resolve, reject) => {
    const texts: string[] = []
    let text = ''
    // A `pg.Query`, because the driver pipelines nothing else.
    const query = Object.assign(new pg.Query(''), {
      callback: (error: Error | null) => (error ? reject(error) : resolve(texts)),
      submit: (connection: pg.Connection) => sendSteps(connection, prepared, steps),
      handleDataRow(row: { readonly fields: readonly (string | null)[] }) {
        text = row.fields[0] ?? ''
      },
      handleCommandComplete() {
        texts.push(text)
        text = ''
      },
    })
    client.query(query)
  })
  return answers.map((text) => (text === '' ? undefined : JSON.parse(text)))
}

function sendSteps(connection: pg.Connection, prepared: Set<string>, steps: readonly Step[]): void {
  connection.stream.cork()
  for (const [{ name, text }, values] of steps) {
    if (!prepared.has(name)) connection.parse({ name, text, types: [] }, true)
    prepared.add(name)
    connection.bind({ statement: name, values: values.map(toText) }, true)
    connection.execute(null, true)
  }
  connection.sync()
  connection.stream.uncork()
}

const toText = (value: string | number | null): string | null =>
  typeof value === 'number' ? String(value) : value

/** A Postgres array literal. */
export const arrayLiteral = (numbers: readonly number[]): string => `{${numbers.join()}}`
