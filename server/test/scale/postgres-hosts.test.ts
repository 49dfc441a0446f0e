import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runService } from '../../../test/e2e/service-process.ts'
import { freePort } from '../support/server-process.ts'
import { startPgbouncer } from '../support/services/pgbouncer-server.ts'
import { startPostgres } from '../support/services/postgres-server.ts'
import { promote, REPLICATION, startStandby } from '../support/services/postgres-standby.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { SECRETS } from './support/admin-token.ts'
import { assertAllRunning } from './support/behaviour.ts'
import { assertConserved } from './support/counted-on-postgres.ts'
import {
  manage,
  openServices,
  registerAgent,
  servedStatusOf,
  toAgent,
  untilServed,
} from './support/services.ts'
import { startLoad, statusesIn } from './support/steady-load.ts'

test('with several hosts in DATABASE_URL the primary is used, and the standby after its promotion', async () => {
  await using primary = await startPostgres(REPLICATION)
  await using standby = await startStandby(primary)
  const hosts = [`127.0.0.1:${await freePort()}`, new URL(standby.url).host, new URL(primary.url).host]
  const address = `postgres://postgres@${hosts.join()}/postgres?target_session_attrs=read-write`
  await using group = await openServices(2, { DATABASE_URL: address })
  const { urls } = group
  const { id, apiKey } = await registerAgent(urls[0])
  await using load = startLoad(urls, apiKey)
  await load.untilServed(urls)
  const other = await registerAgent(urls[1] ?? '')
  const rotated = toAgent(await untilServed(() => manage(urls[0], `POST ${other.id}/rotate`, {})))
  await primary.kill()
  await promote(standby)
  await load.untilServed(urls)
  const asked = (key: string) => servedStatusOf(urls[1] ?? '', key)
  assert.deepEqual([await asked(rotated.apiKey), await asked(other.apiKey)], [200, 401])
  assert.equal((await untilServed(() => manage(urls[1] ?? '', `DELETE ${id}`))).status, 200)
  const answers = await load.stop()
  assertAllRunning(group)
  assert.deepEqual(
    statusesIn(answers).filter((status) => status !== 401),
    [200, 503],
  )
  // Besides the load, two keys were asked above, one of which was served.
  await assertConserved(standby.url, answers, { served: 1, unsure: 1_000 })
})

test('requests are served through pgbouncer in session mode', async (t) => {
  await using database = await migratedDatabase()
  await using pooler = await startPgbouncer(database.url, 'session')
  if (!pooler) return t.skip('there is no pgbouncer here')
  await using group = await openServices(2, { DATABASE_URL: pooler.url })
  const { urls } = group
  const { apiKey } = await registerAgent(urls[0])
  await using load = startLoad(urls, apiKey)
  await load.untilServed(urls)
  assert.deepEqual(
    statusesIn(await load.stop()).filter((status) => status !== 503),
    [200],
  )
  await assertConserved(database.url, load.answers)
})

test('exit 1: a start through pgbouncer in transaction mode names the setting to change', async (t) => {
  await using folder = await tempFolder()
  await using database = await migratedDatabase()
  await using pooler = await startPgbouncer(database.url, 'transaction')
  if (!pooler) return t.skip('there is no pgbouncer here')
  const { code, output } = await runService({ ...SECRETS, DATA_DIR: folder.path, DATABASE_URL: pooler.url })
  assert.equal(code, 1)
  assert.match(output, /pool_mode = session/)
})
