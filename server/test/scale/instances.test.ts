import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { MINUTE_MS } from '../../src/durations.ts'
import { agentCalled } from '../limits/admission-store.ts'
import { rounds } from '../support/repetitions.ts'
import { migratedDatabase, openWithLongTimeouts } from '../support/services/test-postgres.ts'
import { startInstances } from './support/instance.ts'

const NOON = Date.UTC(2026, 0, 31, 12)
const WINDOWS_PER_LIMIT = rounds(50)

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

test('four processes together admit exactly as many requests as a limit allows, in every window', async () => {
  await using database = await migratedDatabase()
  await using store = await openWithLongTimeouts(database.url)
  await using group = await startInstances(database.url, 4)
  const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
  const agents = sqlAgents({ db: store.db, secrets })
  let window = 0
  for (const rpm of [1, 10, 100, 1_000]) {
    await agents.register(agentCalled(`a${rpm}`, { customLimits: { rpm, rpd: 1_000_000 } }), undefined)
    for (let round = 0; round < WINDOWS_PER_LIMIT; round += 1) {
      window += 1
      const requests = Math.ceil(rpm / 4) + 4
      const digest = `key of a${rpm}`
      const at = NOON + window * MINUTE_MS
      const work = { kind: 'admit', digest, at, requests, inFlight: 16 } as const
      const done = await Promise.all(group.instances.map((instance) => instance.do(work)))
      assert.equal(sumOf(done.map(({ admitted }) => admitted)), rpm, `limit ${rpm}, window ${round}`)
      assert.equal(Math.max(...done.map(({ highest }) => highest)), rpm)
    }
  }
})

test('four processes together admit exactly as many registrations as the limits allow, each with agent and mail', async () => {
  await using database = await migratedDatabase()
  await using store = await openWithLongTimeouts(database.url)
  await using group = await startInstances(database.url, 4)
  const done = await Promise.all(
    group.instances.map((instance, at) =>
      instance.do({ kind: 'register', address: `address ${at % 2}`, at: NOON, count: 20 }),
    ),
  )
  assert.equal(sumOf(done.map(({ admitted }) => admitted)), 6)
  const others = await Promise.all(
    group.instances.map((instance, at) =>
      instance.do({ kind: 'register', address: `another ${at}`, at: NOON, count: 5 }),
    ),
  )
  assert.equal(sumOf(others.map(({ admitted }) => admitted)), 4)
  const count = async (table: 'agents' | 'outbox') =>
    (await store.db.selectFrom(table).select('status').execute()).length
  assert.deepEqual([await count('agents'), await count('outbox')], [10, 10])
})

test('the limit of an address holds over all processes together', async () => {
  await using database = await migratedDatabase()
  await using group = await startInstances(database.url, 3)
  const work = { kind: 'traffic', at: NOON, hits: 60 } as const
  const done = await Promise.all(group.instances.map((instance) => instance.do(work)))
  assert.equal(sumOf(done.map(({ admitted }) => admitted)), 100)
})

test('one of three instances holds the lease, and another gets it after the holder was killed', async () => {
  await using database = await migratedDatabase()
  await using group = await startInstances(database.url, 3)
  const ask = () =>
    Promise.all(group.instances.map((instance) => instance.do({ kind: 'lease', forMs: 2_000 })))
  const holders = (await ask()).map(({ admitted }) => admitted)
  assert.equal(sumOf(holders), 1)
  assert.deepEqual(
    (await ask()).map(({ admitted }) => admitted),
    holders,
  )
  const holder = holders.indexOf(1)
  await group.instances[holder]?.kill()
  const [next] = group.instances.filter((_, at) => at !== holder)
  assert(next)
  while ((await next.do({ kind: 'lease', forMs: 2_000 })).admitted === 0);
})
