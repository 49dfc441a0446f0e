import pg from 'pg'
import { openPostgres } from '#adapters/sql/postgres/open.ts'
import { silentLogger } from '../silent-logger.ts'
import { ask, databaseUrl, sharedPostgres, type TestDatabase, testDatabase } from './postgres-server.ts'

/** A Postgres store on a database of the test's own, which goes with it. */
export async function openTestPostgres() {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await migratedDatabase())
  const store = opened.use(await openPatiently(database.url))
  const resources = opened.move()
  return { ...store, url: database.url, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

/** Tests may run on a machine that is busy with others: they wait for it. */
export const PATIENCE = { connectMs: 20_000, statementMs: 20_000 }

export const openPatiently = (url: string) => openPostgres(url, { logger: silentLogger, patience: PATIENCE })

/** The tables as they are before anything is in them: to copy them is quicker than to make them. */
const TEMPLATE = 'migrated'
const TEMPLATE_TURN = 5_179_999

let prepared: Promise<void> | undefined

/** A database of the test's own that has its tables already. */
export async function migratedDatabase(): Promise<TestDatabase> {
  prepared ??= prepareTemplate(await sharedPostgres())
  await prepared
  return testDatabase({ template: TEMPLATE })
}

/** Test files run side by side: one of them makes it, and the others wait. */
async function prepareTemplate(server: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_TURN])
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE])
    if (rows.length > 0) return
    const draft = `${TEMPLATE}_draft`
    await ask(server, `drop database if exists ${draft} with (force)`, `create database ${draft}`)
    await (await openPatiently(databaseUrl(server, draft)))[Symbol.asyncDispose]()
    await ask(server, `alter database ${draft} rename to ${TEMPLATE}`)
  } finally {
    await client.end()
  }
}
