import type { TestApp } from '../../support/test-app.ts'
import { changeStore, storeUnderTest } from '../../support/test-store.ts'

/** Adds a trigger that silently drops writes of this kind to a table. Returns a function that removes it. */
export async function dropWrites(app: TestApp, when: 'insert' | 'update' | 'delete', table: string) {
  if (storeUnderTest() === 'sqlite') {
    const trigger = `create trigger swallow before ${when} on ${table} begin select raise(ignore); end`
    await changeStore(app.folder, trigger)
    return () => changeStore(app.folder, 'drop trigger swallow')
  }
  await changeStore(
    app.folder,
    `create or replace function swallow() returns trigger language plpgsql as 'begin return null; end'`,
  )
  await changeStore(
    app.folder,
    `create trigger swallow before ${when} on ${table} for each row execute function swallow()`,
  )
  return () => changeStore(app.folder, `drop trigger swallow on ${table}`)
}
