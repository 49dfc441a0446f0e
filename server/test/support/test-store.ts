import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pg from 'pg'
import { sharedRedis } from './services/redis-server.ts'
import { migratedDatabase } from './services/test-postgres.ts'

/** The stores that the same tests run on; the first is what a service without any configuration has. */
export const STORES = ['sqlite', 'postgres', 'postgres+redis'] as const

/** The variable in which a test run says which of them it is about. */
export const STORE_VARIABLE = 'TEST_STORE'

const SECRETS = {
  KEY_PEPPER: 'the pepper of these tests, which is long',
  JWT_SECRET: 'the token secret of these tests, which is long',
}

type Variables = Readonly<Record<string, string>>
type OpenedStore = AsyncDisposable & { readonly variables: Variables }

export const postgresVariables = (url: string): Variables => ({ DATABASE_URL: url, ...SECRETS })

const known = new Map<string, Promise<OpenedStore>>()

/** The configuration of the store under test. A folder that is used again finds its data again. */
export async function storeVariables(folder: string, makeDatabase = migratedDatabase): Promise<Variables> {
  const present = known.get(folder) ?? openStoreFor(folder, makeDatabase)
  known.set(folder, present)
  return (await present).variables
}

/** The folder is about to be removed, and with it the data that it stands for. */
export async function removeStore(folder: string): Promise<void> {
  const present = await known.get(folder)
  known.delete(folder)
  await present?.[Symbol.asyncDispose]()
}

export const storeUnderTest = (): string => process.env[STORE_VARIABLE] ?? 'sqlite'

/** A test of what only the embedded store has; there is none like it on another store. */
export function testOnSqlite(name: string, body: () => Promise<void>): void {
  // Asked now: whoever runs the tests of the API on a store says so after this module was loaded.
  if (storeUnderTest() === 'sqlite') test(name, body)
}

async function openStoreFor(folder: string, makeDatabase: typeof migratedDatabase): Promise<OpenedStore> {
  const store = storeUnderTest()
  if (store === 'sqlite') {
    return { variables: { SQLITE_SYNCHRONOUS: 'normal' }, [Symbol.asyncDispose]: async () => {} }
  }
  // Where the embedded service keeps the secret that it has made for itself.
  await writeFile(join(folder, 'jwt-secret'), SECRETS.JWT_SECRET)
  const database = await makeDatabase()
  const redis = store === 'postgres+redis' ? { REDIS_URL: await redisUrl() } : {}
  return {
    variables: { ...postgresVariables(database.url), ...redis },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

/** Tests share one server, and have names of their own in it. */
async function redisUrl(): Promise<string> {
  return `${await sharedRedis()}?keyPrefix=${randomBytes(8).toString('hex')}:`
}

/** Runs a statement behind the back of the service. */
export async function changeStore(folder: string, text: string): Promise<void> {
  await askStore(folder, text)
}

/** The rows of a question, asked behind the back of the service. */
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

/** Where the ends of audit logs are anchored. */
export const anchorsIn = (folder: string): readonly string[] =>
  ['sqlite', 'postgres'].map((store) => join(folder, `audit-anchor-${store}.json`))

/** On Postgres an instance may come without any; a service that ran for some seconds has made one. */
export async function removeAnchors(folder: string): Promise<void> {
  for (const path of anchorsIn(folder)) await rm(path, { force: true })
}
