import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pg from 'pg'
import { sharedRedis } from './services/redis-server.ts'
import { migratedDatabase } from './services/test-postgres.ts'

/** The stores that the tests run on. The first one is that of a service without any configuration. */
export const STORES = ['sqlite', 'postgres', 'postgres+redis'] as const

/** The environment variable that chooses one of them for a test run. */
export const STORE_VARIABLE = 'TEST_STORE'

const SECRETS = {
  KEY_PEPPER: 'the pepper of these tests, which is long',
  JWT_SECRET: 'the token secret of these tests, which is long',
}

type Variables = Readonly<Record<string, string>>
type OpenedStore = AsyncDisposable & { readonly variables: Variables }

export const postgresVariables = (url: string): Variables => ({ DATABASE_URL: url, ...SECRETS })

const known = new Map<string, Promise<OpenedStore>>()

/** The configuration of the store under test. The same folder gets the same store again. */
export async function storeVariables(folder: string, makeDatabase = migratedDatabase): Promise<Variables> {
  const present = known.get(folder) ?? openStoreFor(folder, makeDatabase)
  known.set(folder, present)
  return (await present).variables
}

/** Removes the store of a folder, before the folder itself is removed. */
export async function removeStore(folder: string): Promise<void> {
  const present = await known.get(folder)
  known.delete(folder)
  await present?.[Symbol.asyncDispose]()
}

export const storeUnderTest = (): string => process.env[STORE_VARIABLE] ?? 'sqlite'

/** A test of the embedded store only; it is not run on other stores. */
export function testOnSqlite(name: string, body: () => Promise<void>): void {
  // Read at the call: tests that run on another store set the variable after this module was loaded.
  if (storeUnderTest() === 'sqlite') test(name, body)
}

async function openStoreFor(folder: string, makeDatabase: typeof migratedDatabase): Promise<OpenedStore> {
  const store = storeUnderTest()
  if (store === 'sqlite') {
    return { variables: { SQLITE_SYNCHRONOUS: 'normal' }, [Symbol.asyncDispose]: async () => {} }
  }
  // The same file in which an embedded service keeps its generated secret: tests read it there.
  await writeFile(join(folder, 'jwt-secret'), SECRETS.JWT_SECRET)
  const database = await makeDatabase()
  const redis = store === 'postgres+redis' ? { REDIS_URL: await redisUrl() } : {}
  return {
    variables: { ...postgresVariables(database.url), ...redis },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

/** Tests share one server, each with its own key prefix. */
async function redisUrl(): Promise<string> {
  return `${await sharedRedis()}?keyPrefix=${randomBytes(8).toString('hex')}:`
}

/** Runs a statement on the service's database directly, without the service. */
export async function changeStore(folder: string, text: string): Promise<void> {
  await askStore(folder, text)
}

/** The rows of a query on the service's database, sent directly and without the service. */
export async function askStore(
  folder: string,
  text: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { DATABASE_URL: url } = await storeVariables(folder)
  if (!url) {
    using database = new DatabaseSync(join(folder, 'stakewright.db'))
    return database.prepare(text).all()
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** The files that anchor the ends of audit logs, by store. */
export const anchorsIn = (folder: string): readonly string[] =>
  ['sqlite', 'postgres'].map((store) => join(folder, `audit-anchor-${store}.json`))

/** Removes the anchors that a service makes within seconds: an instance on Postgres may start without one. */
export async function removeAnchors(folder: string): Promise<void> {
  for (const path of anchorsIn(folder)) await rm(path, { force: true })
}
