import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLogger } from '../test/support/silent-logger.ts'
import { tempFolder } from '../test/support/temp-folder.ts'
import { startWorkers } from './workers.ts'

const DOES_NOT_STOP = `
  process.on('SIGTERM', () => {})
  process.on('disconnect', () => process.exit())
  process.send({ kind: 'listening', url: 'http://127.0.0.1' })
  setInterval(() => {}, 1_000)
`

test('stop kills a worker that does not end in time', async () => {
  await using folder = await tempFolder()
  const program = join(folder.path, 'worker.mjs')
  await writeFile(program, DOES_NOT_STOP)
  const killed: unknown[] = []
  const logger = { ...silentLogger, warn: (event: string, fields?: object) => killed.push([event, fields]) }
  const workers = startWorkers({ program, count: 2, stopWithinMs: 50, logger })
  await workers.url
  await workers.stop()
  assert.equal(killed.length, 2)
})
