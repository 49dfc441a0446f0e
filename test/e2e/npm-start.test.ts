import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { startByNpm, startByNpmOnTerminal } from './service-process.ts'

const CTRL_C = '\u0003'
const isReachable = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  )

test('on a terminal the log is formatted text in colour, and Ctrl-C stops npm and the service', async () => {
  await using folder = await tempFolder()
  await using service = await startByNpmOnTerminal({ DATA_DIR: folder.path })
  await (await fetch(`${service.url}/api/v1/staking/epoch`)).json()
  await service.untilSaid(/ GET .*\/staking\/epoch 200 [\d.]+ ms/)
  const lines = stripVTControlCharacters(service.output()).split(/[\r\n]+/)
  assert(lines.some((line) => /^\d\d:\d\d:\d\d info {2}GET \/api\/v1\/staking\/epoch 200 /.test(line)))
  assert(service.output().includes('\u001b[3'), 'it has colours')
  assert.deepEqual(
    lines.filter((line) => line.startsWith('{')),
    [],
  )
  service.child.stdin?.write(CTRL_C)
  await service.ended
  assert.equal(await isReachable(service.url), false)
})

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`${signal} to npm also stops the service, and the next one can start on the same folder`, async () => {
    await using folder = await tempFolder()
    await using service = await startByNpm({ DATA_DIR: folder.path })
    // Resolves when the output is closed, which the service, not npm, is the last process to hold.
    await service.end(signal)
    assert.equal(await isReachable(service.url), false)
    await using next = await startByNpm({ DATA_DIR: folder.path })
    assert.equal(await isReachable(next.url), true)
  })
}
