import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../server-process.ts'
import { migratedDatabase } from '../test-postgres.ts'
import { openServices, registerAgent, statusOf } from './services.ts'

test('WORKERS share one port and stop together', async () => {
  await using database = await migratedDatabase()
  const port = String(await freePort())
  await using group = await openServices(1, { DATABASE_URL: database.url, WORKERS: '2', PORT: port })
  const [service] = group.services
  const { apiKey } = await registerAgent(service.url)
  const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(service.url, apiKey)))
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.equal(await service.end('SIGTERM'), 0)
})
