import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort, runServer } from './server-process.ts'
import { tempFolder } from './temp-folder.ts'

test('a server that a signal ends while it starts is reported at once, with its output', async () => {
  await using folder = await tempFolder()
  const pidFile = join(folder.path, 'pid')
  const started = runServer('sh', ['-c', 'echo no room; kill -9 $$'], { pidFile }, () =>
    Promise.reject(new Error('it does not answer')),
  )
  await assert.rejects(started, /sh does not start: no room/)
})

test('a server that is not ready in time is killed', async () => {
  await using folder = await tempFolder()
  const pidFile = join(folder.path, 'pid')
  const started = runServer('sleep', ['1000'], { pidFile, startMs: 1 }, () =>
    Promise.reject(new Error('it does not answer')),
  )
  await assert.rejects(started, /sleep does not start/)
  const pid = Number(await readFile(pidFile, 'utf8'))
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

test('a process gets no free port twice', async () => {
  const ports = new Set<number>()
  for (let count = 0; count < 1_000; count += 1) ports.add(await freePort())
  assert.equal(ports.size, 1_000)
})
