import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type DialectAdapter,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely'
import { isUnreleased, MIGRATIONS } from './migrate.ts'
import type { Schema } from './schema.ts'

/** Statements that the previous version tolerates: reads, new objects, and columns that its inserts may leave out. */
const ADDING = [
  /^select /,
  /^create (?:table|view|sequence|function|trigger|(?:unique )?index) /,
  /^alter table \S+ add column \S+ \w+(?: not null default \S+| default '[^']*' not null)?$/,
  /^alter table \S+ set \(fillfactor = \d+\)$/,
]

const ENGINES: readonly (readonly [string, () => DialectAdapter, () => QueryCompiler])[] = [
  ['SQLite', () => new SqliteAdapter(), () => new SqliteQueryCompiler()],
  ['Postgres', () => new PostgresAdapter(), () => new PostgresQueryCompiler()],
]

/** The statements of all migrations, compiled without a database. */
async function readStatements(
  adapter: () => DialectAdapter,
  compiler: () => QueryCompiler,
): Promise<readonly string[]> {
  const statements: string[] = []
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: adapter,
      createDriver: () => new DummyDriver(),
      createQueryCompiler: compiler,
      createIntrospector: () => {
        throw new Error('migrations must not introspect the database')
      },
    },
    log({ query }) {
      statements.push(query.sql.replaceAll(/\s+/g, ' ').trim())
    },
  })
  for (const { up } of MIGRATIONS) await up(db)
  return statements
}

for (const [name, adapter, compiler] of ENGINES) {
  test(`migrations only add: the previous version runs on the tables of this one (${name})`, async () => {
    const statements = await readStatements(adapter, compiler)
    assert(statements.length > 10)
    const others = statements.filter((statement) => !ADDING.some((pattern) => pattern.test(statement)))
    assert.deepEqual(others, [])
  })
}

test('migrations are numbered in the order in which they are applied', () => {
  const numbers = MIGRATIONS.map(({ name }) => Number(/^(?<no>\d{4})-[a-z-]+$/.exec(name)?.groups?.['no']))
  assert.deepEqual(
    numbers,
    MIGRATIONS.map((_, at) => at + 1),
  )
})

test('tables of versions before the first release are recognised', () => {
  assert.equal(isUnreleased(['0001-chain-data', '0005-audit-evidence']), true)
  assert.equal(isUnreleased(['0001-chain-data']), true)
  assert.equal(isUnreleased(['0001-chain-tables', '0002-identity']), true)
  assert.equal(isUnreleased(MIGRATIONS.map(({ name }) => name)), false)
  assert.equal(isUnreleased([]), false)
})
