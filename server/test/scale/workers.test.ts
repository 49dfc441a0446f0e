import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '../support/server-process.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import { openServices, registerAgent, statusOf } from './support/services.ts'

const execute = promisify(execFile)

async function openWorkers(databaseUrl: string) {
  const port = String(await freePort())
  return openServices(1, { DATABASE_URL: databaseUrl, WORKERS: '2', PORT: port })
}

/** The processes that the service has started. */
async function workersOf(pid: number | undefined): Promise<readonly number[]> {
  const { stdout } = await execute('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.split('\n').filter(Boolean).map(Number)
}

test('WORKERS share one port and stop together', async () => {
  await using database = await migratedDatabase()
  await using group = await openWorkers(database.url)
  const [service] = group.services
  const { apiKey } = await registerAgent(service.url)
  const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(service.url, apiKey)))
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.equal(await service.end('SIGTERM'), 0)
})

test('a worker that is killed is replaced, and the port is served all the while', async () => {
  await using database = await migratedDatabase()
  await using group = await openWorkers(database.url)
  const [service] = group.services
  const { apiKey } = await registerAgent(service.url)
  const before = await workersOf(service.child.pid)
  const [victim] = before
  assert(victim !== undefined && before.length === 2)
  process.kill(victim, 'SIGKILL')
  const isReplaced = async () => {
    const now = await workersOf(service.child.pid)
    return now.length === 2 && !now.includes(victim)
  }
  do {
    // A connection that was open to the killed one is cut; the next one is to another.
    const status = await statusOf(service.url, apiKey).catch(() => statusOf(service.url, apiKey))
    assert.equal(status, 200)
  } while (!(await isReplaced()))
  assert.equal(service.child.exitCode, null)
  assert.equal(await service.end('SIGTERM'), 0)
})
