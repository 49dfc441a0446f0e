import pg from 'pg'
import { openPostgres } from '#adapters/sql/postgres/open.ts'
import { silentLogger } from '../silent-logger.ts'
import { ask, databaseUrl, sharedPostgres, type TestDatabase, testDatabase } from './postgres-server.ts'

/** A Postgres store on a new database, which is dropped with it. */
export async function openTestPostgres() {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await migratedDatabase())
  const store = opened.use(await openWithLongTimeouts(database.url))
  const resources = opened.move()
  return { ...store, url: database.url, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

/** Long timeouts, because tests may run on a busy machine. */
export const TIMEOUTS = { connectMs: 20_000, statementMs: 20_000 }

export const openWithLongTimeouts = (url: string) =>
  openPostgres(url, { logger: silentLogger, timeouts: TIMEOUTS })

const TEMPLATE_LOCK = 5_179_999
const templates = new Map<string, Promise<void>>()

/** A new database that has its tables already. */
export async function migratedDatabase(): Promise<TestDatabase> {
  return templateDatabase('migrated', async (url) => (await openWithLongTimeouts(url))[Symbol.asyncDispose]())
}

/** A copy of a template database that `fill` has filled once: copying is quicker than filling. */
export async function templateDatabase(
  template: string,
  fill: (url: string) => Promise<void>,
): Promise<TestDatabase> {
  const prepared = templates.get(template) ?? prepareTemplate(await sharedPostgres(), template, fill)
  templates.set(template, prepared)
  await prepared
  return testDatabase({ template })
}

/** Test files run concurrently: one of them makes the template, and the others wait for the lock. */
async function prepareTemplate(
  server: string,
  template: string,
  fill: (url: string) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [template])
    if (rows.length > 0) return
    const draft = `${template}_draft`
    await ask(server, `drop database if exists ${draft} with (force)`, `create database ${draft}`)
    await fill(databaseUrl(server, draft))
    await ask(server, `alter database ${draft} rename to ${template}`)
  } finally {
    await client.end()
  }
}
