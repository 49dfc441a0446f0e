import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { tempFolder } from '../../../test/temp-folder.ts'
import { sqlSandboxStates } from './sandbox-states.ts'
import { openSqlite } from './sqlite.ts'
import { checkpointInThread } from './wal-checkpoints.ts'

test('what is written reaches the database file while the store stays open', {
  timeout: 20_000,
}, async (t) => {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path)
  const text = 'x'.repeat(500_000)
  await sqlSandboxStates(store.db).replace(0, text)
  const file = join(folder.path, 'stakewright.db')
  while (statSync(file).size < text.length && !t.signal.aborted) await setImmediate()
})

test('a clean end leaves no log behind', async () => {
  await using folder = await tempFolder()
  {
    await using store = await openSqlite(folder.path)
    await sqlSandboxStates(store.db).replace(0, 'x')
  }
  assert.throws(() => statSync(join(folder.path, 'stakewright.db-wal')), { code: 'ENOENT' })
})

test('a thread that cannot work says so, once, and can still be closed', async () => {
  await using folder = await tempFolder()
  const lost = Promise.withResolvers<void>()
  await using _thread = checkpointInThread({ file: join(folder.path, 'no', 'such.db'), onLost: lost.resolve })
  await lost.promise
})
