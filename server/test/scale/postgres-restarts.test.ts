import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { runService, spawnService } from '../../../test/e2e/service-process.ts'
import { freePort } from '../support/server-process.ts'
import { startPgbouncer } from '../support/services/pgbouncer-server.ts'
import { startPostgres } from '../support/services/postgres-server.ts'
import { REPLICATION, startStandby } from '../support/services/postgres-standby.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { SECRETS } from './support/admin-token.ts'
import { assertAllRunning, assertInTime } from './support/behaviour.ts'
import { assertConserved } from './support/counted-on-postgres.ts'
import { manage, openServices, registerAgent, statusOf } from './support/services.ts'
import { startLoad, statusesIn } from './support/steady-load.ts'

/** Rotates the keys of four agents in loops: transactions of several statements on connections of the pool. */
async function startRotations(url: string) {
  const agents = await Promise.all(Array.from({ length: 4 }, () => registerAgent(url)))
  const statuses = new Set<number>()
  let isOver = false
  const loops = agents.map(async ({ id }) => {
    while (!isOver) statuses.add((await manage(url, `POST ${id}/rotate`, {})).status)
  })
  return async (): Promise<readonly number[]> => {
    isOver = true
    await Promise.all(loops)
    return [...statuses].sort()
  }
}

test('Postgres restarts in every mode while keys are rotated: no process ends, 503 in time, served again in time', async (t) => {
  await using postgres = await startPostgres()
  await using group = await openServices(2, { DATABASE_URL: postgres.url })
  const { urls } = group
  const { apiKey } = await registerAgent(urls[0])
  await using load = startLoad(urls, apiKey)
  const stopRotations = await Promise.all(urls.map(startRotations))
  const servedAfter: number[] = []
  // Immediate, fast, and smart shutdown; the last serves open connections until they end by themselves.
  for (const modes of [['SIGQUIT'], ['SIGINT'], ['SIGTERM', 'SIGINT'], ['SIGQUIT'], ['SIGQUIT']] as const) {
    for (const mode of modes) {
      await load.untilServed(urls)
      postgres.signal(mode)
    }
    await postgres.stop()
    assert.equal(await statusOf(urls[0], apiKey), 503)
    await postgres.start()
    servedAfter.push(await load.untilServed(urls))
  }
  const rotated = await Promise.all(stopRotations.map((stop) => stop()))
  const answers = await load.stop()
  assertAllRunning(group)
  assert.deepEqual(rotated, [
    [200, 503],
    [200, 503],
  ])
  assert.deepEqual(statusesIn(answers), [200, 503])
  assertInTime(t, load, servedAfter)
})

test('a primary with a synchronous standby and a pooler restarts: served again in time', async (t) => {
  await using primary = await startPostgres(REPLICATION)
  await using _standby = await startStandby(primary)
  await using pooler = await startPgbouncer(primary.url, 'session')
  await using group = await openServices(1, { DATABASE_URL: pooler?.url ?? primary.url })
  const { urls } = group
  const { apiKey } = await registerAgent(urls[0])
  await using load = startLoad(urls, apiKey)
  const servedAfter: number[] = []
  for (let round = 0; round < 3; round += 1) {
    await load.untilServed(urls)
    await primary.stop()
    // Waits until the pooler, too, has noticed the stop.
    assert.equal(await statusOf(urls[0], apiKey), 503)
    await primary.start()
    servedAfter.push(await load.untilServed(urls))
  }
  await load.stop()
  assertInTime(t, load, servedAfter)
})

test('connections that the server terminates cost single requests (503), and no process ends', async () => {
  await using database = await migratedDatabase()
  await using group = await openServices(1, { DATABASE_URL: database.url })
  const { urls } = group
  const { apiKey } = await registerAgent(urls[0])
  await using load = startLoad(urls, apiKey)
  const stopRotations = await startRotations(urls[0])
  const admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  for (let round = 0; round < 40; round += 1) {
    await load.untilServed(urls)
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  }
  await admin.end()
  await load.untilServed(urls)
  const rotated = await stopRotations()
  const answers = await load.stop()
  assertAllRunning(group)
  assert(rotated.includes(200))
  assert.deepEqual(statusesIn(answers), [200, 503])
  await assertConserved(database.url, answers)
})

test('a start waits for Postgres, logs that it does, and serves once Postgres is up', async () => {
  await using folder = await tempFolder()
  await using postgres = await startPostgres()
  await postgres.stop()
  await using service = spawnService({ ...SECRETS, DATA_DIR: folder.path, DATABASE_URL: postgres.url })
  await service.untilSaid(/the store cannot be reached; the start waits for it/)
  await postgres.start()
  const url = await service.untilListening()
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
})

test('exit 0: SIGTERM ends a start that waits for Postgres', async () => {
  await using folder = await tempFolder()
  const url = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`
  await using service = spawnService({ ...SECRETS, DATA_DIR: folder.path, DATABASE_URL: url })
  await service.untilSaid(/the start waits/)
  assert.equal(await service.end('SIGTERM'), 0)
})

test('exit 1: a start fails at once with the reason if waiting cannot help', async () => {
  await using folder = await tempFolder()
  await using database = await migratedDatabase()
  const nowhere = Object.assign(new URL(database.url), { pathname: '/nowhere' }).href
  const { code, output } = await runService({ ...SECRETS, DATA_DIR: folder.path, DATABASE_URL: nowhere })
  assert.equal(code, 1)
  assert.match(output, /database "nowhere" does not exist/)
})
