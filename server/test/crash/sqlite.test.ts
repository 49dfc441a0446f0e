import assert from 'node:assert/strict'
import { once } from 'node:events'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { sqlSandboxStates } from '#adapters/sql/stores/sandbox-states.ts'
import { crashRounds } from '../support/repetitions.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { linesUntilDeath, startWriter } from './killed-writer.ts'
import { stateOf } from './state-of.ts'

const writeTo = (folder: string) => startWriter('writer.ts', [folder])

/** The last version that was acknowledged before the writer died. */
const lastOf = (lines: readonly string[]): number => Number(lines.at(-1) ?? 0)

/** Asserts that no acknowledged write is missing, the stored text is complete, and the file is intact. */
async function checkStored(folder: string, acknowledged: number): Promise<void> {
  await using store = await openSqlite(folder)
  const found = await sqlSandboxStates(store.db).load()
  assert(
    found && found.version >= acknowledged,
    `${acknowledged} was acknowledged, ${found?.version} is there`,
  )
  assert.equal(found.state, stateOf(found.version))
  const verdict = await store.exclusive((database) => database.prepare('pragma integrity_check').get())
  assert.equal(verdict?.['integrity_check'], 'ok')
}

const ROUNDS = crashRounds(8)

test(`${ROUNDS} × kill -9: no acknowledged write is lost or torn, and the database file is intact`, async () => {
  await using folder = await tempFolder()
  for (let round = 1; round <= ROUNDS; round += 1) {
    const acknowledged = lastOf(await linesUntilDeath(writeTo(folder.path), round * 7))
    await checkStored(folder.path, acknowledged)
  }
})

test('a process whose wal-index file is truncated dies with SIGBUS, and no acknowledged write is lost', {
  skip: process.platform === 'linux' ? false : 'other systems may treat a cut mapping differently',
}, async () => {
  await using folder = await tempFolder()
  const writer = writeTo(folder.path)
  const cut = () => truncateSync(join(folder.path, 'stakewright.db-shm'), 0)
  const acknowledged = lastOf(await linesUntilDeath(writer, 7, { signal: 'SIGBUS', end: cut }))
  await checkStored(folder.path, acknowledged)
})

test('a running process locks its data folder against others; after kill -9 the folder can be opened', async () => {
  await using folder = await tempFolder()
  const writer = writeTo(folder.path)
  await once(writer.stdout, 'data')
  await assert.rejects(openSqlite(folder.path), (error: Error) => {
    assert.match(error.message, /Another Stakewright process uses the data folder/)
    assert(error.message.includes(folder.path))
    return true
  })
  writer.kill('SIGKILL')
  await once(writer, 'close')
  await using store = await openSqlite(folder.path)
  assert((await sqlSandboxStates(store.db).load()) !== undefined)
})
