import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { sql } from 'kysely'
import { MIGRATIONS } from '#adapters/sql/migrate.ts'
import { openPostgres } from '#adapters/sql/postgres/open.ts'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import { sqlSnapshots } from '#adapters/sql/stores/chain/snapshots.ts'
import { sqlReservations } from '#adapters/sql/stores/policy/reservations.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import type { Logger } from '#ports/logger.ts'
import { agentQueues } from '#wiring/agent-queues.ts'
import type { Fault } from '../../src/fault.ts'
import { active } from '../contracts/suites/sample-agents.ts'
import { freePort } from '../support/server-process.ts'
import { ask, testDatabase } from '../support/services/postgres-server.ts'
import { migratedDatabase, openWithLongTimeouts, TIMEOUTS } from '../support/services/test-postgres.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { until } from '../support/until.ts'

test('when several instances start at once, each migration is applied by exactly one', async () => {
  await using database = await testDatabase()
  const applied: string[] = []
  const logger: Logger = {
    ...silentLogger,
    info: (_, fields) => applied.push(...String(fields?.['applied']).split(', ')),
  }
  const stores = await Promise.all(Array.from({ length: 6 }, () => openPostgres(database.url, { logger })))
  assert.deepEqual(
    applied.sort(),
    MIGRATIONS.map(({ name }) => name),
  )
  await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
})

test('a database from before the first release is refused with the advice to start empty', async () => {
  await using database = await migratedDatabase()
  await ask(database.url, "update migrations set name = '0001-chain-tables' where name like '0001-%'")
  await assert.rejects(
    openWithLongTimeouts(database.url),
    /before the first release.+Start with an empty database/,
  )
})

test('store_not_ready: no server listens', async () => {
  const url = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`
  await assert.rejects(openPostgres(url, { logger: silentLogger }), { code: 'store_not_ready' })
})

test('store_not_ready: a query that gets no connection of the pool in time is refused, and later ones succeed', async () => {
  await using database = await testDatabase()
  const timeouts = { connectMs: 300, statementMs: 5_000 }
  await using store = await openPostgres(database.url, { logger: silentLogger, poolSize: 2, timeouts })
  const held = Promise.withResolvers<void>()
  const holding = [1, 2].map(() => store.db.transaction().execute(() => held.promise))
  await assert.rejects(sql`select 1`.execute(store.db), { code: 'store_not_ready' })
  held.resolve()
  await Promise.all(holding)
  await sql`select 1`.execute(store.db)
})

test('transactions that wait for the lock of one agent leave connections for other agents', async () => {
  await using database = await migratedDatabase()
  await using store = await openPostgres(database.url, {
    logger: silentLogger,
    poolSize: 2,
    timeouts: TIMEOUTS,
  })
  const { db } = store
  await using holder = await openWithLongTimeouts(database.url)
  const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
  for (const id of ['busy', 'other']) await sqlAgents({ db, secrets }).register(active(id), undefined)
  const queueByAgent = agentQueues()
  const reservations = sqlReservations({ db, queueByAgent, secrets, logger: silentLogger })
  const free = async (id: string) => {
    const agent = db.selectFrom('agents').select('no').where('id', '=', id)
    await reservations.release((await agent.executeTakeFirstOrThrow()).no, ['rsv_none'])
  }
  await using freed = new AsyncDisposableStack()
  await holder.db.transaction().execute(async (transaction) => {
    await sql`select 1 from agents where id = 'busy' for no key update`.execute(transaction)
    const many = Promise.all(Array.from({ length: 60 }, () => free('busy')))
    freed.defer(() => many.then(() => {}))
    await until(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(holder.db)
      return rows.length > 0
    })
    await free('other')
  })
})

test('store_not_ready: a statement that takes too long is refused, and its connection is not reused', async () => {
  await using database = await testDatabase()
  const timeouts = { connectMs: 5_000, statementMs: 200 }
  await using store = await openPostgres(database.url, { logger: silentLogger, poolSize: 1, timeouts })
  await assert.rejects(sql`select pg_sleep(5)`.execute(store.db), { code: 'store_not_ready' })
  await sql`select 1`.execute(store.db)
})

test('a history of 1,000 epochs of 150 validators is read within the default timeout', async () => {
  await using database = await migratedDatabase()
  await ask(
    database.url,
    `insert into epoch_records
      (network, epoch, validator_id, ended_at, tokens, shares, stake, commission_bps, performed, commission_read)
    select 'ika', epoch, '0x' || lpad(validator::text, 64, '0'), epoch * 86400000::bigint,
      '1000000000000000000', '990000000000000000', '1000000000000000000', 500, 1, 1
    from generate_series(1, 1000) epoch, generate_series(1, 150) validator`,
  )
  await using store = await openPostgres(database.url, { logger: silentLogger })
  const records = await sqlSnapshots({ db: store.db, logger: silentLogger }).history('ika', 0)
  assert.equal(records.length, 150_000)
})

test('an invalid statement is not reported as store_not_ready', async () => {
  await using database = await testDatabase()
  await using store = await openPostgres(database.url, { logger: silentLogger })
  await assert.rejects(sql`select nothing from nowhere`.execute(store.db), /nowhere/)
})

test('service_overloaded: a migration blocked by a dump is refused, not waited for, so that requests are not blocked', async () => {
  await using database = await migratedDatabase()
  await using dumped = await openWithLongTimeouts(database.url)
  for (const statement of [
    "delete from migrations where name = '0007-many-instances'",
    'drop table leases, traffic_seconds',
    'drop function set_row_version cascade',
    'drop sequence row_versions cascade',
    'alter table agents drop version',
    'alter table agent_keys drop version',
    'alter table agent_activity drop version',
  ])
    await ask(database.url, statement)
  await dumped.db.transaction().execute(async (dump) => {
    await sql`lock table agents in access share mode`.execute(dump)
    const isLocked = ({ code, retryAfterSeconds }: Fault) =>
      code === 'service_overloaded' && retryAfterSeconds !== undefined
    await assert.rejects(openWithLongTimeouts(database.url), isLocked)
  })
  await using store = await openWithLongTimeouts(database.url)
  await sql`select version from agents`.execute(store.db)
})

test('store_not_ready: a server accepts the connection but never answers', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  assert(address !== null && typeof address === 'object')
  const url = `postgres://postgres@127.0.0.1:${address.port}/postgres`
  await assert.rejects(openPostgres(url, { logger: silentLogger }), { code: 'store_not_ready' })
  silent.close()
})
