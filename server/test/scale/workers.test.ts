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

/** Child processes of the service. */
async function workersOf(pid: number | undefined): Promise<readonly number[]> {
  const { stdout } = await execute('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.split('\n').filter(Boolean).map(Number)
}

test('exit 0: workers share one port and stop together', async () => {
  await using database = await migratedDatabase()
  await using group = await openWorkers(database.url)
  const [service] = group.services
  const { apiKey } = await registerAgent(service.url)
  const statuses = await Promise.all(Array.from({ length: 20 }, () => servedStatus(service.url, apiKey)))
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.equal(await service.end('SIGTERM'), 0)
})

test('a killed worker is replaced, and the port is served meanwhile', async () => {
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
    // A kept connection to the killed worker fails once; the retry reaches another worker.
    const status = await servedStatus(service.url, apiKey).catch(() => servedStatus(service.url, apiKey))
    assert.equal(status, 200)
  } while (!(await isReplaced()))
  assert.equal(service.child.exitCode, null)
  assert.equal(await service.end('SIGTERM'), 0)
})

test('workers that are all killed at once are replaced, also after a failed start of one', async () => {
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

test('exit 0: SIGTERM during the start stops it, and the log never says ready', async () => {
  const variables = {
    ...SECRETS,
    DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/none`,
    WORKERS: '2',
  }
  await using folder = await tempFolder()
  await using service = spawnService({ ...variables, DATA_DIR: folder.path, PORT: String(await freePort()) })
  await service.untilSaid(/the store cannot be reached(.|\n)*the store cannot be reached/)
  assert.equal(await service.end('SIGTERM'), 0)
  assert.doesNotMatch(service.output(), /ready|SIGTERM/)
})

test('exit 1: workers that cannot start log the reason', async () => {
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

/** Sets the limit of open files of the process; open files stay open. */
const limitFiles = (pid: number | undefined, count: number) =>
  execute('prlimit', [`--pid=${pid}`, `--nofile=${count}:`])

test('a scrape of /metrics has the metrics of all workers, whichever of them answers', async () => {
  await using database = await migratedDatabase()
  await using group = await openWorkers(database.url)
  const [service] = group.services
  const { apiKey } = await registerAgent(service.url)
  // One connection per request, because the kernel distributes connections over the workers.
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
    const declared = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)
    assert.equal(new Set(declared).size, declared.length)
  }
  assert.equal((await ask()).status, 200)
  const after = [...servedBy(await scrape(service.url)).values()].reduce((sum, count) => sum + count)
  assert.equal(after, total + 1)
})

/** Scrapes until both workers have answered: on a busy machine one may be too late for a scrape. */
async function scrape(url: string): Promise<string> {
  for (;;) {
    const { text } = await sendRaw(url, 'GET /metrics')
    if (!text.includes('stakewright_worker_up{worker="0"} 0') && !text.includes('_up{worker="1"} 0'))
      return text
  }
}

/** Number of served requests for metadata, by worker. */
function servedBy(text: string): ReadonlyMap<number, number> {
  const lines = text.matchAll(
    /^stakewright_http_request_duration_seconds_count\{worker="(\d)",route="[^"]*metadata",method="GET",status="200"\} (\d+)$/gm,
  )
  return new Map([...lines].map(([, worker, count]) => [Number(worker), Number(count)]))
}
