import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../../test/e2e/service-process.ts'
import { type PostgresServer, startPostgres, testDatabase } from '../postgres-server.ts'
import { startRedis } from '../redis-server.ts'
import { freePort } from '../server-process.ts'
import { tempFolder } from '../temp-folder.ts'
import { adminToken, SECRETS } from './admin-token.ts'

const PLENTY = { LIMIT_IP_RPM: '1000000', LIMIT_GLOBAL_RPM: '1000000', LOG_LEVEL: 'warn' }
const METADATA = '/api/v1/staking/agent/metadata'

async function openServices(count: number, env: Readonly<Record<string, string>>) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const variables = { ...SECRETS, ...PLENTY, DATA_DIR: folder.path, ...env }
  const services = await Promise.all(
    Array.from({ length: count }, async () => opened.use(await startService(variables))),
  )
  const resources = opened.move()
  return { services, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

const headers = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })

async function registerAgent(url: string, token: string): Promise<{ id: string; apiKey: string }> {
  const body = JSON.stringify({
    agentName: 'scout',
    tier: 'enterprise',
    email: 'ann@example.com',
    rateLimits: { rpm: 1_000_000, rpd: 100_000_000 },
  })
  const response = await fetch(`${url}/api/v1/agents/register`, {
    method: 'POST',
    headers: headers(token),
    body,
  })
  assert.equal(response.status, 201)
  return toAgent(await response.json())
}

/** Guaranteed by the contract: registering and rotating both answer with these. */
function toAgent(body: unknown): { id: string; apiKey: string } {
  return (body as { data: { id: string; apiKey: string } }).data
}

const statusOf = async (url: string, apiKey: string) => {
  const response = await fetch(url + METADATA, { headers: { 'x-api-key': apiKey } })
  await response.arrayBuffer()
  return response.status
}

test('a rotated key is dead on every instance from the answer on, under load', async () => {
  await using database = await testDatabase()
  await using group = await openServices(3, { DATABASE_URL: database.url })
  const urls = group.services.map(({ url }) => url)
  const [first = ''] = urls
  const token = await adminToken()
  const agent = await registerAgent(first, token)
  let { apiKey } = agent
  let isOver = false
  let served = 0
  const load = urls.map(async (url) => {
    while (!isOver) if ((await statusOf(url, apiKey)) === 200) served += 1
  })
  for (let round = 0; round < 40; round += 1) {
    const url = urls[round % urls.length] ?? first
    const init = { method: 'POST', headers: headers(token), body: '{}' }
    const response = await fetch(`${url}/api/v1/agents/${agent.id}/rotate`, init)
    assert.equal(response.status, 200)
    const old = apiKey
    apiKey = toAgent(await response.json()).apiKey
    const statuses = await Promise.all(urls.flatMap((each) => [statusOf(each, old), statusOf(each, apiKey)]))
    assert.deepEqual(
      statuses,
      urls.flatMap(() => [401, 200]),
      `rotation ${round}`,
    )
  }
  isOver = true
  await Promise.all(load)
  assert(served > 0)
})

/** Asks until the service has served again; whatever comes before must be a refusal. */
async function untilServed(url: string, apiKey: string): Promise<void> {
  for (;;) {
    const status = await statusOf(url, apiKey)
    if (status === 200) return
    assert.equal(status, 503)
  }
}

async function refusedWhileAway(url: string, apiKey: string): Promise<void> {
  const response = await fetch(url + METADATA, { headers: { 'x-api-key': apiKey } })
  assert.match(await response.text(), /"error":"store_not_ready"/)
}

async function withOutage(server: PostgresServer, during: () => Promise<void>): Promise<void> {
  await server.kill()
  await during()
  await server.start()
}

test('without Postgres every request is refused as 503, and the service goes on by itself when it is back', async () => {
  await using postgres = await startPostgres()
  await using group = await openServices(1, { DATABASE_URL: postgres.url })
  const [service] = group.services
  assert(service)
  const { apiKey } = await registerAgent(service.url, await adminToken())
  for (let round = 0; round < 3; round += 1) {
    await withOutage(postgres, () => refusedWhileAway(service.url, apiKey))
    await untilServed(service.url, apiKey)
    assert.equal(service.child.exitCode, null)
  }
})

test('without Redis every request is refused as 503, and the service goes on by itself when it is back', async () => {
  await using database = await testDatabase()
  await using redis = await startRedis()
  await using group = await openServices(1, { DATABASE_URL: database.url, REDIS_URL: redis.url })
  const [service] = group.services
  assert(service)
  const { apiKey } = await registerAgent(service.url, await adminToken())
  for (let round = 0; round < 3; round += 1) {
    await redis.kill()
    await refusedWhileAway(service.url, apiKey)
    await redis.start()
    await untilServed(service.url, apiKey)
    assert.equal(service.child.exitCode, null)
  }
})

test('WORKERS share one port and stop together', async () => {
  await using database = await testDatabase()
  const port = String(await freePort())
  await using group = await openServices(1, { DATABASE_URL: database.url, WORKERS: '2', PORT: port })
  const [service] = group.services
  assert(service)
  const { apiKey } = await registerAgent(service.url, await adminToken())
  const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(service.url, apiKey)))
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.equal(await service.end('SIGTERM'), 0)
})
