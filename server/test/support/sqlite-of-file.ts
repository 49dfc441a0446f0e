import { after } from 'node:test'
import { openSqlite, type SqliteStore } from '#adapters/sql/sqlite/open.ts'
import { tempFolder } from './temp-folder.ts'

/** A store that the tests of a file share, closed after the last of them. */
export async function openSqliteOfFile(): Promise<SqliteStore> {
  const open = new AsyncDisposableStack()
  after(() => open.disposeAsync())
  const folder = open.use(await tempFolder())
  return open.use(await openSqlite(folder.path, { synchronous: 'normal' }))
}
