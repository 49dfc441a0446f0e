import assert from 'node:assert/strict'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sql } from 'kysely'
import { tempFolder } from '../../../../test/support/temp-folder.ts'
import { Fault } from '../../../fault.ts'
import { migrate } from '../migrate.ts'
import { sqlSandboxStates } from '../stores/sandbox-states.ts'
import { openSqlite } from './open.ts'

/** A folder with a database, whose file `change` has then altered. */
async function folderWith(change: (file: string) => void | Promise<void>) {
  const folder = await tempFolder()
  {
    await using store = await openSqlite(folder.path)
    await sqlSandboxStates(store.db).replace(0, 'x'.repeat(100_000))
  }
  const file = join(folder.path, 'stakewright.db')
  await change(file)
  return { path: folder.path, file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

async function assertRefusedUntouched(folder: { path: string; file: string }, message: RegExp) {
  const before = await readFile(folder.file)
  await assert.rejects(openSqlite(folder.path), (error: Error) => {
    assert(error instanceof Fault)
    assert.match(error.message, message)
    assert(error.message.includes(folder.path))
    return true
  })
  assert.deepEqual(await readFile(folder.file), before)
}

test('data survives closing and reopening the store', async () => {
  await using folder = await folderWith(() => {})
  await using store = await openSqlite(folder.path)
  assert.equal((await sqlSandboxStates(store.db).load())?.version, 1)
})

test('migrations are applied once', async () => {
  await using folder = await folderWith(() => {})
  await using store = await openSqlite(folder.path)
  assert.deepEqual(await migrate(store.db), [])
})

test('only the owner may enter the folder and read the files', {
  skip: process.platform === 'win32' && 'Windows has no modes of files',
}, async () => {
  await using parent = await tempFolder()
  const folder = join(parent.path, 'made', 'here')
  await using store = await openSqlite(folder)
  await sqlSandboxStates(store.db).replace(0, 'x')
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  for (const name of ['stakewright.db', 'stakewright.db-wal', 'stakewright.db-shm', 'lock.db']) {
    assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600, name)
  }
})

test('a folder that cannot be created is refused, and the message names it', async () => {
  await using parent = await tempFolder()
  const folder = join(parent.path, 'file')
  await writeFile(folder, '')
  await assert.rejects(openSqlite(folder), { name: 'Fault', message: /file.* cannot be written .*DATA_DIR/s })
})

test('a second store on the same folder is refused, until the first is closed', async () => {
  await using folder = await tempFolder()
  {
    await using _first = await openSqlite(folder.path)
    await assert.rejects(openSqlite(folder.path), /Another Stakewright process/)
  }
  await using _second = await openSqlite(folder.path)
})

test('a file that is not a database is refused and left as it is', async () => {
  await using folder = await folderWith((file) => writeFile(file, 'these are my notes, not a database'))
  await assertRefusedUntouched(folder, /is damaged .*not a SQLite database.* Nothing was changed/)
})

test('a damaged page is found at the start, and the file left as it is', async () => {
  await using folder = await folderWith(async (file) => {
    const bytes = await readFile(file)
    bytes.fill(0xa5, 4096, 8192)
    await writeFile(file, bytes)
  })
  await assertRefusedUntouched(folder, /is damaged .* Nothing was changed/)
})

test('a database that was cut short is refused and left as it is', async () => {
  await using folder = await folderWith(async (file) =>
    writeFile(file, (await readFile(file)).subarray(0, 9_000)),
  )
  await assertRefusedUntouched(folder, /is damaged .* Nothing was changed/)
})

test('a database of a newer version is refused and left as it is', async () => {
  await using folder = await folderWith((file) => {
    using database = new DatabaseSync(file)
    database.exec("insert into migrations values ('9999-from-the-future')")
  })
  await assertRefusedUntouched(folder, /newer version of Stakewright \(it has 9999-from-the-future\)/)
})

test('a database of a version before the first release is refused and left as it is', async () => {
  await using folder = await folderWith((file) => {
    using database = new DatabaseSync(file)
    database.exec("update migrations set name = '0001-chain-data' where name like '0001-%'")
  })
  await assertRefusedUntouched(
    folder,
    /before the first release.* Nothing was changed\. Move the folder away/,
  )
})

test('a database of another program is refused and left as it is', async () => {
  await using folder = await folderWith((file) => {
    using database = new DatabaseSync(file)
    database.exec('drop table migrations')
  })
  await assertRefusedUntouched(folder, /belongs to another program/)
})

test('a refused start releases the lock of its folder at once', async () => {
  await using folder = await tempFolder()
  await mkdir(folder.path, { recursive: true })
  const file = join(folder.path, 'stakewright.db')
  await writeFile(file, 'not a database')
  await assert.rejects(openSqlite(folder.path))
  await writeFile(file, '')
  await using _store = await openSqlite(folder.path)
})

test('no statement can attach another database or load an extension', async () => {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path)
  const other = join(folder.path, 'other.db')
  await assert.rejects(sql`attach database ${other} as other`.execute(store.db), /attached databases - max 0/)
  await assert.rejects(
    store.exclusive((database) => database.exec(`attach '${other}' as other`)),
    /attached databases - max 0/,
  )
  await assert.rejects(sql`select load_extension('x')`.execute(store.db))
})

test('foreign keys are enforced', async () => {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path)
  const { rows } = await sql<{ foreign_keys: number }>`pragma foreign_keys`.execute(store.db)
  assert.equal(rows[0]?.foreign_keys, 1)
})

test('a transaction that has only read holds the write lock already', async () => {
  await using folder = await folderWith(() => {})
  await using store = await openSqlite(folder.path)
  using other = new DatabaseSync(folder.file, { timeout: 0 })
  await store.db.transaction().execute(async (transaction) => {
    await transaction.selectFrom('migrations').selectAll().execute()
    assert.throws(() => other.exec('begin immediate'), /locked/)
    await transaction.insertInto('migrations').values({ name: 'x' }).execute()
  })
  other.exec('begin immediate')
  other.exec('rollback')
})

test('exclusive work never runs inside the transaction of another caller', async () => {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path)
  const states = sqlSandboxStates(store.db)
  const inside = Promise.withResolvers<void>()
  const mayFail = Promise.withResolvers<void>()
  const failing = store.db.transaction().execute(async (transaction) => {
    await sqlSandboxStates(transaction).replace(0, 'undone')
    inside.resolve()
    await mayFail.promise
    throw new Error('changed my mind')
  })
  await inside.promise
  const charged = store.exclusive((database) => {
    assert.equal(database.isTransaction, false)
    database.exec("insert into sandbox_states values (1, 1, 'kept')")
  })
  mayFail.resolve()
  await assert.rejects(failing, /changed my mind/)
  await charged
  assert.deepEqual(await states.load(), { version: 1, state: 'kept' })
})

test('a transaction that exclusive work leaves open is rolled back', async () => {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path)
  await assert.rejects(
    store.exclusive((database) => {
      database.exec("begin immediate; insert into sandbox_states values (1, 1, 'half')")
      throw new Error('stopped half way')
    }),
    /stopped half way/,
  )
  assert.equal(await sqlSandboxStates(store.db).load(), undefined)
})

test('a full disk is a fault that keeps its cause, and the store works again once there is room', async () => {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path)
  const states = sqlSandboxStates(store.db)
  await states.replace(0, 'first')
  await sql`pragma max_page_count = 20`.execute(store.db)
  await assert.rejects(
    store.db
      .transaction()
      .execute((transaction) => sqlSandboxStates(transaction).replace(1, 'x'.repeat(1e6))),
    (error: unknown) => {
      assert(error instanceof Fault && error.cause instanceof Error)
      assert.equal(error.code, 'store_not_ready')
      assert.match(error.cause.message, /full/)
      return true
    },
  )
  await sql`pragma max_page_count = 1000000`.execute(store.db)
  assert.equal(await states.replace(1, 'x'.repeat(1e6)), true)
})

test('an error after which SQLite rolls back by itself is reported, not the failed rollback', async () => {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path)
  const failing = store.db.transaction().execute(async (transaction) => {
    await sqlSandboxStates(transaction).replace(0, 'undone')
    await sql`insert or rollback into sandbox_states values (2, 1, 'id must be 1')`.execute(transaction)
  })
  await assert.rejects(failing, /CHECK constraint failed/)
  assert.equal(await sqlSandboxStates(store.db).load(), undefined)
})

test('the tables that every commit writes have no separate index, which would cost one more page per commit', async () => {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path)
  const indexes = await store.exclusive((database) =>
    database
      .prepare(
        "select name from sqlite_schema where type = 'index' and tbl_name in ('audit_batches', 'agent_activity', 'counter_journal')",
      )
      .all(),
  )
  assert.deepEqual(indexes, [])
})
