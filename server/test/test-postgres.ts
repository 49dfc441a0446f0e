import { openPostgres } from '#adapters/sql/postgres.ts'
import { testDatabase } from './postgres-server.ts'
import { silentLogger } from './silent-logger.ts'

/** A Postgres store on an empty database of the test's own, which goes with it. */
export async function openTestPostgres() {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await testDatabase())
  const store = opened.use(await openPatiently(database.url))
  const resources = opened.move()
  return { ...store, url: database.url, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

/** Tests may run on a machine that is busy with others: they wait for it. */
export const openPatiently = (url: string) =>
  openPostgres(url, { logger: silentLogger, patience: { connectMs: 20_000, statementMs: 20_000 } })
