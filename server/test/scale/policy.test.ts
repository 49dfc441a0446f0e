import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApprovalNeeded, type Input, type StakewrightError } from '@stakewright/client'
import pg from 'pg'
import { sqlReservations } from '#adapters/sql/stores/policy/reservations.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import type { ReserveTerms } from '#ports/stores/reservations.ts'
import { agentQueues } from '#wiring/agent-queues.ts'
import { agentWithPolicy } from '../policy/agent-with-policy.ts'
import { assertLikeSequential } from '../policy/reserved-together.ts'
import { ADMIN } from '../support/builder-agent.ts'
import { ME, TEN } from '../support/holdings.ts'
import { signIn } from '../support/registered-agent.ts'
import { migratedDatabase, openTestPostgres } from '../support/services/test-postgres.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { openTestApp, type TestAppOptions } from '../support/test-app.ts'
import { testClock } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { SECRETS } from './support/admin-token.ts'

const ALL = { rule: 'actions', allow: ['stake'] } as const

/** Two instances on one store, and an agent whose policy an admin writes. */
async function openTwo(ofOther: TestAppOptions = {}) {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await migratedDatabase())
  const env = {
    ...ADMIN,
    LIMIT_IP_RPM: '1000',
    DATABASE_URL: database.url,
    ...SECRETS,
  }
  const clock = testClock()
  const one = opened.use(await openTestApp({ env, clock }))
  const other = opened.use(await openTestApp({ env, clock, ...ofOther }))
  const token = await signIn(one, 'root@example.com')
  const admin = one.client({ token })
  const { data } = await admin.registerAgent({ agentName: 'held', tier: 'builder' })
  const keys = [one, other].map((app) => app.client({ apiKey: data.apiKey }))
  /** Client of another agent with the given rules, on the first instance. */
  const anotherKey = async (rules: Input<'writePolicy'>['rules']) => {
    const { data: another } = await admin.registerAgent({ agentName: 'other', tier: 'builder' })
    await admin.writePolicy({ id: another.id, rules })
    return one.client({ apiKey: another.apiKey })
  }
  const validatorId =
    (await one.client().validators()).data.find(({ status }) => status === 'active')?.id ?? ''
  const stake = { validatorId, amount: TEN, sender: ME }
  const resources = opened.move()
  return {
    url: database.url,
    admin,
    otherAdmin: other.client({ token }),
    id: data.id,
    keys,
    anotherKey,
    stake,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function isBuilt(build: Promise<unknown>): Promise<boolean> {
  return build.then(
    () => true,
    ({ code }) => {
      assert.equal(code, 'forbidden')
      return false
    },
  )
}

test('a policy written on one instance is in force on the other at once, and a window counts builds of both', async () => {
  await using two = await openTwo()
  const { admin, id, keys, stake } = two
  for (let revision = 0; revision < 6; revision += 1) {
    const isPaused = revision % 2 === 0
    const rules = isPaused ? [ALL, { rule: 'paused' } as const] : [ALL]
    await admin.writePolicy({ id, rules, revision })
    for (const key of keys)
      assert.equal(await isBuilt(key.buildStake(stake)), !isPaused, `revision ${revision + 1}`)
  }
  const window = { rule: 'maxPerWindow', amount: '30000000000', window: 'day' } as const
  await admin.writePolicy({ id, rules: [ALL, window], revision: 6 })
  const builds = [...keys, ...keys, ...keys, ...keys].map((key) => isBuilt(key.buildStake(stake)))
  assert.equal((await Promise.all(builds)).filter(Boolean).length, 3)
})

test('builds during a policy change are decided by the old or the new policy, and get no other error', async () => {
  await using two = await openTwo()
  const { admin, id, keys, stake } = two
  const windowOf = (amount: string) => ({ rule: 'maxPerWindow', amount, window: 'day' }) as const
  const rulesOf = (revision: number) => [ALL, windowOf(revision % 2 === 0 ? '1000000000000' : TEN)]
  let { data } = await admin.writePolicy({ id, rules: rulesOf(0) })
  for (const revision of [1, 2, 3]) {
    const builds = [...keys, ...keys, ...keys, ...keys].map((key) =>
      key.buildStake(stake).then(
        ({ intent }) => intent.policyHash,
        ({ code }) => assert.equal(code, 'forbidden'),
      ),
    )
    const written = await admin.writePolicy({ id, rules: rulesOf(revision), revision })
    for (const hash of await Promise.all(builds))
      assert(hash === undefined || hash === data?.hash || hash === written.data?.hash)
    data = written.data
  }
})

test('equal builds on two instances share one approval, which is used once over both', async () => {
  await using two = await openTwo()
  const { admin, id, keys, stake } = two
  await admin.writePolicy({ id, rules: [ALL, { rule: 'approvalAbove', amount: '1' }] })
  for (let round = 0; round < 3; round += 1) {
    const asked = await Promise.all(
      [...keys, ...keys].map((key) => key.buildStake(stake).catch((error: unknown) => error)),
    )
    const ids = asked.map((error) => (error instanceof ApprovalNeeded ? error.approval.approvalId : error))
    assert.equal(new Set(ids).size, 1, String(ids))
    const approvalId = String(ids[0])
    await admin.decideApproval({ id, approvalId, decision: 'approve' })
    const builds = [...keys, ...keys, ...keys].map((key) => isBuilt(key.buildStake({ ...stake, approvalId })))
    assert.equal((await Promise.all(builds)).filter(Boolean).length, 1)
  }
})

test('200: 60 concurrent builds of one agent and one of another all succeed', async () => {
  await using two = await openTwo()
  const { admin, id, keys, anotherKey, stake } = two
  const rules = [ALL, { rule: 'maxPerWindow', amount: '1000000000000', window: 'day' }] as const
  await admin.writePolicy({ id, rules: [...rules] })
  const other = await anotherKey([...rules])
  const many = Array.from({ length: 60 }, () => keys[0]?.buildStake(stake))
  const built = await Promise.all([...many, other.buildStake(stake)])
  assert.equal(new Set(built.map((one) => one?.intentId)).size, 61)
})

test('a build does not wait for 60 requests of another agent whose row is locked', async () => {
  await using store = await openTestPostgres()
  const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests, which is long' })
  const reservations = sqlReservations({
    db: store.db,
    queueByAgent: agentQueues(),
    secrets,
    logger: silentLogger,
  })
  const [held, free] = [await agentWithPolicy(store.db, secrets), await agentWithPolicy(store.db, secrets)]
  const reserve = (no: number, id: string) => reservations.reserve(no, anyTerms(id))
  await using locked = await lockRow(store.url, held)
  let answered = 0
  const many = Array.from({ length: 60 }, async (_, at) => {
    await (at % 2 === 0 ? reserve(held, `rsv_${at}`) : reservations.release(held, ['rsv_0']))
    answered += 1
  })
  assert.deepEqual(await reserve(free, 'rsv_free'), { kind: 'reserved' })
  assert.equal(answered, 0)
  await locked.unlock()
  await Promise.all(many)
  assert.equal(answered, 60)
})

test('503: a request that waits too long for a row lock is refused as retryable, and nothing was done', async () => {
  await using two = await openTwo({ lockMs: 200, runsJobs: false })
  const { admin, otherAdmin, id, keys, stake, url } = two
  const window = { rule: 'maxPerWindow', amount: '30000000000', window: 'day' } as const
  await admin.writePolicy({ id, rules: [ALL, window] })
  const [key, otherKey] = keys
  assert(key && otherKey)
  const isLockTimeout = ({ status, code, message, retryAfterSeconds, retryable }: StakewrightError) => {
    assert.deepEqual(
      [status, code, retryAfterSeconds, retryable],
      [503, 'service_overloaded', 2, true],
      message,
    )
    return /took too long, and nothing was done for this one\. Send the same request again/.test(message)
  }
  {
    await using locked = await lockRow(url, id)
    await assert.rejects(otherKey.buildStake(stake), isLockTimeout)
    await assert.rejects(otherAdmin.writePolicy({ id, rules: [ALL], revision: 1 }), isLockTimeout)
    await locked.unlock()
  }
  await until(() => otherKey.buildStake(stake).then(() => true, isLockTimeout))
  for (const expected of [true, true, false]) assert.equal(await isBuilt(key.buildStake(stake)), expected)
})

test('concurrent builds have the same outcomes as sequential ones', async () => {
  await using store = await openTestPostgres()
  await assertLikeSequential(store.db, 10)
})

/** Locks the row of an agent in another database session. */
async function lockRow(url: string, agent: number | string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  await client.query('select no from agents where $1 in (no::text, id) for no key update', [String(agent)])
  return { unlock: () => client.query('rollback'), [Symbol.asyncDispose]: () => client.end() }
}

const anyTerms = (id: string): ReserveTerms => ({
  policyRevision: 1,
  part: { spans: {}, builtSince: undefined, latest: undefined },
  place: () => ({
    id,
    intentId: id,
    at: 0,
    expiresAt: 0,
    epoch: 1,
    sender: undefined,
    items: [],
    isSeen: false,
  }),
})
