import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { sqlSandboxStates } from '#adapters/sql/stores/sandbox-states.ts'
import { crashRounds } from '../support/crash-rounds.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { stateOf } from './state-of.ts'

type Writer = ChildProcessByStdio<null, Readable, null>

function startWriter(folder: string): Writer {
  return spawn(process.execPath, [join(import.meta.dirname, 'writer.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Kills the writer after `count` acknowledged writes. Returns the last one that was acknowledged before it died. */
async function killAfter(writer: Writer, count: number): Promise<number> {
  const ended = once(writer, 'close')
  let last = 0
  let seen = 0
  for await (const line of createInterface({ input: writer.stdout })) {
    last = Number(line)
    seen += 1
    if (seen === count) writer.kill('SIGKILL')
  }
  await ended
  assert.equal(writer.signalCode, 'SIGKILL')
  return last
}

const ROUNDS = crashRounds(8)

test(`${ROUNDS} × kill -9: every acknowledged write is there, whole, and the file is intact`, async () => {
  await using folder = await tempFolder()
  for (let round = 1; round <= ROUNDS; round += 1) {
    const acknowledged = await killAfter(startWriter(folder.path), round * 7)
    await using store = await openSqlite(folder.path)
    const found = await sqlSandboxStates(store.db).load()
    assert(
      found && found.version >= acknowledged,
      `${acknowledged} was acknowledged, ${found?.version} is there`,
    )
    assert.equal(found.state, stateOf(found.version))
    const verdict = await store.exclusive((database) => database.prepare('pragma integrity_check').get())
    assert.equal(verdict?.['integrity_check'], 'ok')
  }
})

test('a process that runs keeps another one out of its folder, and one that was killed does not', async () => {
  await using folder = await tempFolder()
  const writer = startWriter(folder.path)
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
