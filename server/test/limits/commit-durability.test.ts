import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openSqlite, type SqliteStore } from '#adapters/sql/sqlite/open.ts'
import { tempFolder } from '../support/temp-folder.ts'

const LEVELS = { normal: 1, full: 2 } as const

const levelOf = (database: DatabaseSync) =>
  Number(database.prepare('pragma synchronous').get()?.['synchronous'])

async function levelOfQueries({ db }: SqliteStore): Promise<number | undefined> {
  const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db)
  return rows[0]?.synchronous
}

const commitLightly = (store: SqliteStore, work: () => void = () => {}) =>
  store.exclusive((database) => {
    database.exec('begin immediate')
    work()
    const level = levelOf(database)
    database.exec('commit')
    return level
  }, 'light')

for (const synchronous of ['full', 'normal'] as const) {
  test(`a store with synchronous = ${synchronous} commits at that level again after a light commit`, async () => {
    await using folder = await tempFolder()
    await using store = await openSqlite(folder.path, { synchronous })
    const usual = LEVELS[synchronous]
    assert.equal(await store.exclusive(levelOf), usual)
    assert.equal(await commitLightly(store), LEVELS.normal)
    assert.equal(await store.exclusive(levelOf), usual)
    await commitLightly(store)
    assert.equal(await levelOfQueries(store), usual)
    let waiting: Promise<number> | undefined
    await store.db.transaction().execute(async (db) => {
      waiting = commitLightly(store)
      assert.equal(await levelOfQueries({ ...store, db }), usual)
    })
    assert.equal(await waiting, LEVELS.normal)
  })

  test(`a store with synchronous = ${synchronous} has that level again after a light commit that fails`, async () => {
    await using folder = await tempFolder()
    await using store = await openSqlite(folder.path, { synchronous })
    const failing = commitLightly(store, () => {
      throw new Error('the commit fails')
    })
    await assert.rejects(failing, /the commit fails/)
    assert.equal(await store.exclusive(levelOf), LEVELS[synchronous])
    assert.equal(await store.exclusive((database) => database.isTransaction), false)
  })
}
