import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { runService, spawnService } from '../../../test/e2e/service-process.ts'
import { sendRaw } from '../support/raw-request.ts'
import { freePort } from '../support/server-process.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { SECRETS } from './support/admin-token.ts'
import { METADATA, openServices, registerAgent, statusOf, untilServed } from './support/services.ts'

const ASK_AGAIN_MS = 50
const execute = promisify(execFile)

async function openWorkers(databaseUrl: string) {
  const port = String(await freePort())
  return openServices(1, { DATABASE_URL: databaseUrl, WORKERS: '2', PORT: port })
}

const servedStatus = async (url: string, apiKey: string) =>
  (await untilServed(async () => ({ status: await statusOf(url, apiKey) }))).status

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
  const statuses = await Promise.all(Array.from({ length: 20 }, () => servedStatus(service.url, apiKey)))
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
    const status = await servedStatus(service.url, apiKey).catch(() => servedStatus(service.url, apiKey))
    assert.equal(status, 200)
  } while (!(await isReplaced()))
  assert.equal(service.child.exitCode, null)
  assert.equal(await service.end('SIGTERM'), 0)
})

test('all workers that are killed at once are replaced, and so is one that could not be started', async () => {
  await using database = await migratedDatabase()
  await using group = await openWorkers(database.url)
  const [service] = group.services
  const { apiKey } = await registerAgent(service.url)
  const before = await workersOf(service.child.pid)
  assert.equal(before.length, 2)
  await limitFiles(service.child.pid, 3)
  for (const pid of before) process.kill(pid, 'SIGKILL')
  await service.untilSaid(/a worker failed.*EMFILE/)
  await limitFiles(service.child.pid, 1_000)
  while ((await servedStatus(service.url, apiKey).catch(() => undefined)) !== 200) {
    assert.equal(service.child.exitCode, null)
    await wait(ASK_AGAIN_MS)
  }
  assert.equal(await service.end('SIGTERM'), 0)
})

test('a signal during the start stops it without a word about being ready', async () => {
  const variables = {
    ...SECRETS,
    DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/none`,
    WORKERS: '2',
  }
  await using folder = await tempFolder()
  await using service = spawnService({ ...variables, DATA_DIR: folder.path, PORT: String(await freePort()) })
  await service.untilSaid(/the store is away(.|\n)*the store is away/)
  assert.equal(await service.end('SIGTERM'), 0)
  assert.doesNotMatch(service.output(), /ready|SIGTERM/)
})

test('WORKERS that cannot start say why and end', async () => {
  await using database = await migratedDatabase()
  await using folder = await tempFolder()
  await using taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const PORT = String(Object(taken.address()).port)
  const { code, output } = await runService({
    ...SECRETS,
    DATABASE_URL: database.url,
    DATA_DIR: folder.path,
    WORKERS: '2',
    PORT,
  })
  assert.equal(code, 1)
  assert.match(output, /cannot start\. Cannot listen/)
  assert.match(output, /cannot start\. A worker ended before it was ready/)
})

/** How many files the process may have open from now on; those that are open stay. */
const limitFiles = (pid: number | undefined, count: number) =>
  execute('prlimit', [`--pid=${pid}`, `--nofile=${count}:`])

test('a scrape shows what all WORKERS did, whichever of them it reaches', async () => {
  await using database = await migratedDatabase()
  await using group = await openWorkers(database.url)
  const [service] = group.services
  const { apiKey } = await registerAgent(service.url)
  // A connection each: the kernel spreads those.
  const headers = ['X-API-Key', apiKey]
  const ask = () => untilServed(() => sendRaw(service.url, `GET ${METADATA}`, { headers }))
  const served = new Map<number, number>()
  while (served.size < 2) {
    assert.equal((await ask()).status, 200)
    for (const [worker, count] of servedBy(await scrape(service.url))) served.set(worker, count)
  }
  const total = [...served.values()].reduce((sum, count) => sum + count)
  for (let round = 0; round < 8; round += 1) {
    const text = await scrape(service.url)
    assert.deepEqual(servedBy(text), served)
    const told = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)
    assert.equal(new Set(told).size, told.length)
  }
  assert.equal((await ask()).status, 200)
  const after = [...servedBy(await scrape(service.url)).values()].reduce((sum, count) => sum + count)
  assert.equal(after, total + 1)
})

/** A worker on a busy machine may be too late for one scrape, which then says so. */
async function scrape(url: string): Promise<string> {
  for (;;) {
    const { text } = await sendRaw(url, 'GET /metrics')
    if (!text.includes('stakewright_worker_up{worker="0"} 0') && !text.includes('_up{worker="1"} 0'))
      return text
  }
}

/** How many requests for metadata each worker says it has answered. */
function servedBy(text: string): ReadonlyMap<number, number> {
  const lines = text.matchAll(
    /^stakewright_http_request_duration_seconds_count\{worker="(\d)",route="[^"]*metadata",method="GET",status="200"\} (\d+)$/gm,
  )
  return new Map([...lines].map(([, worker, count]) => [Number(worker), Number(count)]))
}
