import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { runsAll } from '../../../test/runs-all.ts'
import { rounds } from '../support/repetitions.ts'
import { startPostgres } from '../support/services/postgres-server.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import { until } from '../support/until.ts'
import { assertAllRunning, assertInTime, assertServed } from './support/behaviour.ts'
import { assertConserved } from './support/counted-on-postgres.ts'
import {
  manage,
  openServices,
  registerAgent,
  servedStatusOf,
  statusOf,
  toAgent,
  untilServed,
} from './support/services.ts'
import { openSlowProxy } from './support/slow-proxy.ts'
import { countOf, startLoad, statusesIn } from './support/steady-load.ts'

const ROUNDS = rounds(3)

test('after an instance is killed under load, no acknowledged change is lost, and the others keep serving', async () => {
  await using database = await migratedDatabase()
  await using group = await openServices(3, { DATABASE_URL: database.url })
  const { services, urls } = group
  const { apiKey } = await registerAgent(urls[0])
  await using load = startLoad(urls, apiKey)
  await load.untilServed(urls)
  const acknowledged = await registerAgent(urls[0])
  await services[0].end('SIGKILL')
  await load.untilServed(urls.slice(1))
  const again = await group.add()
  assert.equal(await statusOf(again.url, acknowledged.apiKey), 200)
  const answers = await load.stop()
  const ofOthers = answers.filter(({ url }) => url !== urls[0])
  assertServed(ofOthers)
  await assertConserved(database.url, answers, { served: 1, unsure: 0 })
})

test('Postgres crashes and restarts under load: 503 in time, served again in time, no acknowledged change is lost', async (t) => {
  await using postgres = await startPostgres()
  await using group = await openServices(2, { DATABASE_URL: postgres.url })
  const { urls } = group
  const agent = await registerAgent(urls[0])
  await using load = startLoad(urls, agent.apiKey)
  const everyOutage = [() => postgres.kill(), () => postgres.stop()]
  const outages = runsAll() ? [...everyOutage, () => postgres.kill()] : everyOutage
  const servedAfter: number[] = []
  for (const [round, outage] of outages.entries()) {
    await load.untilServed(urls)
    const { id, apiKey: first } = await registerAgent(urls[round % 2] ?? urls[0])
    const { apiKey: second } = toAgent(await untilServed(() => manage(urls[0], `POST ${id}/rotate`, {})))
    await outage()
    assert.equal(await statusOf(urls[0], agent.apiKey), 503)
    await postgres.start()
    servedAfter.push(await load.untilServed(urls))
    const statuses = [await servedStatusOf(urls[0], first), await servedStatusOf(urls[1] ?? '', second)]
    assert.deepEqual(statuses, [401, 200])
  }
  const answers = await load.stop()
  assert.deepEqual(statusesIn(answers), [200, 503])
  assertInTime(t, load, servedAfter)
  assertAllRunning(group)
  await assertConserved(postgres.url, answers, { served: outages.length, unsure: outages.length })
})

test('503 in time while Postgres answers two seconds late, and served again in time afterwards', async (t) => {
  await using database = await migratedDatabase()
  await using proxy = await openSlowProxy(database.url)
  await using group = await openServices(2, { DATABASE_URL: proxy.url })
  const { urls } = group
  const { apiKey } = await registerAgent(urls[0])
  await using load = startLoad(urls, apiKey)
  const servedAfter: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await load.untilServed(urls)
    const before = countOf(load.answers, 503)
    proxy.delay(2_000)
    await until(() => countOf(load.answers, 503) >= before + 8)
    proxy.delay(0)
    servedAfter.push(await load.untilServed(urls))
  }
  const answers = await load.stop()
  assert.deepEqual(statusesIn(answers), [200, 503])
  assertInTime(t, load, servedAfter)
  assertAllRunning(group)
  await assertConserved(database.url, answers)
})

test('while the connection pool is exhausted, management is 503 in time, and agents are served', async (t) => {
  await using database = await migratedDatabase()
  await using group = await openServices(1, { DATABASE_URL: database.url })
  const { urls } = group
  const [url] = urls
  const { apiKey } = await registerAgent(url)
  const blocked = await registerAgent(url)
  await using load = startLoad(urls, apiKey)
  await load.untilServed(urls)
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select 1 from agents where id = $1 for update', [blocked.id])
  const refusals = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const startedAt = performance.now()
      const { status } = await manage(url, `POST ${blocked.id}/rotate`, {})
      return { url, startedAt, endedAt: performance.now(), status }
    }),
  )
  await holder.query('rollback')
  await holder.end()
  const freeAt = performance.now()
  await until(async () => (await manage(url, `POST ${blocked.id}/rotate`, {})).status === 200)
  assertInTime(t, load, [performance.now() - freeAt], refusals)
  assert.deepEqual(statusesIn(refusals), [503])
  const answers = await load.stop()
  assertServed(answers)
  assertAllRunning(group)
  await assertConserved(database.url, answers)
})
