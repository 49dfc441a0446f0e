import {
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { isUnreleased, MIGRATIONS } from '../../migrate.ts'
import type { Schema } from '../../schema.ts'
import { Broken } from './verdict.ts'

export type Engine = 'sqlite' | 'postgres'

const CREATED = /^\s*create table (?:if not exists )?"?(?<name>\w+)/i

/**
 * Fails if a table is missing: a dropped or renamed table must not pass as having nothing to check.
 * Migrations are applied in order, so none before the last may be missing; those of a newer version are
 * unknown here.
 */
export async function verifyTables(
  engine: Engine,
  present: ReadonlySet<string>,
  readMigrations: () => Promise<readonly string[]>,
): Promise<void> {
  if (!present.has('migrations')) throw missingTable('migrations')
  const names = new Set(await readMigrations())
  if (isUnreleased(names))
    throw new Broken(0, 'it was written by a version before the first release: this version cannot verify it')
  const applied = MIGRATIONS.slice(0, MIGRATIONS.findLastIndex(({ name }) => names.has(name)) + 1)
  const missing = applied.find(({ name }) => !names.has(name))
  if (missing || applied.length === 0)
    throw new Broken(0, `the record of migration ${(missing ?? MIGRATIONS[0])?.name} is missing`)
  for (const table of await tablesMadeBy(engine, applied)) if (!present.has(table)) throw missingTable(table)
}

const missingTable = (table: string) => new Broken(0, `the table ${table} is missing`)

/** Tables that the migrations create, found by running them without a database. */
async function tablesMadeBy(engine: Engine, migrations: typeof MIGRATIONS): Promise<readonly string[]> {
  const tables: string[] = []
  await using db = new Kysely<Schema>({
    dialect: DIALECTS[engine],
    log({ query }) {
      const name = CREATED.exec(query.sql)?.groups?.['name']
      if (name) tables.push(name)
    },
  })
  for (const { up } of migrations) await up(db)
  return tables
}

const DIALECTS: Readonly<Record<Engine, Dialect>> = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
}
