import { Fault } from '../../../../fault.ts'

type SingleRowQuery<Row> = { executeTakeFirst(): Promise<Row | undefined> }

/**
 * Reads back what a transaction has just written, and throws if a foreign trigger or rule made the database
 * keep something else: a change is acknowledged only if it was stored. Without `expected`, no row must be
 * left.
 */
export async function assertPersisted<Row extends object>(
  what: string,
  query: SingleRowQuery<Row>,
  expected: Partial<Row> | undefined,
): Promise<void> {
  const row = await query.executeTakeFirst()
  if (expected ? row !== undefined && hasAll(row, expected) : row === undefined) return
  throw notPersisted(what)
}

const hasAll = <Row extends object>(row: Row, expected: Partial<Row>): boolean =>
  Object.entries(expected).every(([column, value]) => Reflect.get(row, column) === value)

export const notPersisted = (what: string): Fault =>
  new Fault(
    'store_not_ready',
    'The store did not keep the change, so nothing was changed. Tell the operator.',
    {
      cause: new Error(
        `the database has not kept what was written to ${what}: look for triggers and rules that are not of this service`,
      ),
    },
  )
