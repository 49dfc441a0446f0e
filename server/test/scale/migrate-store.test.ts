import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createClient } from '@stakewright/client'
import pg from 'pg'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { verifyPostgresAudit } from '#adapters/sql/postgres/audit/verify.ts'
import { prometheusMeters } from '#adapters/system/metrics/prometheus-meters.ts'
import { readConfig } from '../../src/config.ts'
import { DAY_MS } from '../../src/durations.ts'
import { migrateStore } from '../../src/operator/migrate-store.ts'
import { openApp } from '../../src/wiring/app.ts'
import { approvalOf } from '../api/policy/with-approvals.ts'
import { testDatabase } from '../support/services/postgres-server.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { type TestClock, testClock } from '../support/test-clock.ts'
import { adminToken, SECRETS } from './support/admin-token.ts'

const METADATA = '/api/v1/staking/agent/metadata'
const { JWT_SECRET } = SECRETS

async function openService(env: Readonly<Record<string, string>>, clock = testClock(Date.now())) {
  await using opened = new AsyncDisposableStack()
  const read = readConfig({ PORT: '0', JWT_SECRET, ...env })
  assert(read.kind === 'ok', JSON.stringify(read))
  const meters = prometheusMeters({ ofProcess: false })
  const forTests = { storeTimeouts: { connectMs: 20_000, statementMs: 20_000 } }
  const outside = { clock, logger: silentLogger, meters, random: () => 0.5, version: '0.1.0', forTests }
  const app = opened.use(await openApp(read.config, outside))
  const { url } = await app.listen()
  const resources = opened.move()
  return { url, clock, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

type Service = { readonly url: string; readonly clock: TestClock }

/** Issued at the time of the service's clock, which stands still. */
const tokenFor = ({ clock }: Service): Promise<string> => adminToken(undefined, clock.now())

const used = async (url: string, apiKey: string) => {
  const response = await fetch(url + METADATA, { headers: { 'x-api-key': apiKey } })
  await response.arrayBuffer()
  return { status: response.status, left: response.headers.get('x-ratelimit-remaining-rpd') }
}

const adminClient = async (service: Service) =>
  createClient({ baseUrl: service.url, token: await tokenFor(service), retries: 0 })

const register = async (service: Service) => {
  const rateLimits = { rpm: 10, rpd: 20 }
  const admin = await adminClient(service)
  return (await admin.registerAgent({ agentName: 'scout', email: 'ann@example.com', rateLimits })).data
}

/** Verifies the audit log in Postgres with the pepper of the folder; it must be intact. */
async function verifyOn(url: string, folder: string) {
  const pepper = (await readFile(join(folder, 'key-pepper'), 'utf8')).trim()
  const verdict = await verifyPostgresAudit(url, auditSeal(pepper))
  assert(verdict.kind === 'intact', JSON.stringify(verdict))
  return verdict
}

/** Row count in the planner's statistics; -1 if the table was never analyzed. */
async function rowsByStatistics(url: string, table: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(
      'select reltuples::integer as rows from pg_class where relname = $1',
      [table],
    )
    return rows[0].rows
  } finally {
    await client.end()
  }
}

/** The marks of a kind: of which day and instance, and the place in the chain. */
async function marksOf(
  url: string,
  kind: 'end' | 'indexed',
): Promise<readonly (readonly [string, number])[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(
      "select name, no from audit_marks where name like $1 || ' %' order by name",
      [kind],
    )
    return rows.map(({ name, no }) => [name.slice(kind.length), Number(no)])
  } finally {
    await client.end()
  }
}

/** The number of requests in the audit log of an agent. */
async function requestsOf(service: Service, id: string): Promise<number> {
  const response = await fetch(`${service.url}/api/v1/agents/${id}/audit?limit=100`, {
    headers: { authorization: `Bearer ${await tokenFor(service)}` },
  })
  assert.equal(response.status, 200)
  const { data } = (await response.json()) as { readonly data: readonly { readonly action: unknown }[] }
  return data.filter(({ action }) => action === null).length
}

test('a service that moves to Postgres keeps its keys, counters and audit log, and goes on numbering its rows', async () => {
  await using folder = await tempFolder()
  await using database = await testDatabase()
  const clock = testClock(Date.now())
  let apiKey = ''
  {
    await using service = await openService({ DATA_DIR: folder.path }, clock)
    apiKey = (await register(service)).apiKey
    for (let at = 1; at <= 3; at += 1) await used(service.url, apiKey)
  }
  const copied = await migrateStore(folder.path, database.url)
  assert.equal(copied['agents'], 1)
  assert((copied['audit_batches'] ?? 0) > 0 && (copied['epoch_records'] ?? 0) > 0)
  assert.equal(copied['audit_batches'], (await verifyOn(database.url, folder.path)).batches)
  assert.equal(await rowsByStatistics(database.url, 'epoch_records'), copied['epoch_records'])
  const KEY_PEPPER = (await readFile(join(folder.path, 'key-pepper'), 'utf8')).trim()
  await using service = await openService(
    { DATA_DIR: folder.path, DATABASE_URL: database.url, KEY_PEPPER },
    clock,
  )
  assert.deepEqual(await used(service.url, apiKey), { status: 200, left: '16' })
  const second = await register(service)
  assert.deepEqual(await used(service.url, second.apiKey), { status: 200, left: '19' })
  await verifyOn(database.url, folder.path)
  await assert.rejects(migrateStore(folder.path, database.url), /not empty/)
})

test('a log of several days is copied, each day as a chain, with its index of agents', async () => {
  await using folder = await tempFolder()
  await using database = await testDatabase()
  const clock = testClock(Date.now())
  const owned: { readonly id: string; readonly apiKey: string }[] = []
  for (let day = 0; day < 3; day += 1) {
    if (day > 0) clock.advance(DAY_MS)
    await using service = await openService({ DATA_DIR: folder.path }, clock)
    while (owned.length < 2) owned.push(await register(service))
    for (const { apiKey } of owned) assert.equal((await used(service.url, apiKey)).status, 200)
  }
  await migrateStore(folder.path, database.url)
  await verifyOn(database.url, folder.path)
  const ends = await marksOf(database.url, 'end')
  assert.equal(ends.length, 3)
  assert.deepEqual(await marksOf(database.url, 'indexed'), ends)
  const KEY_PEPPER = (await readFile(join(folder.path, 'key-pepper'), 'utf8')).trim()
  const env = { DATA_DIR: folder.path, DATABASE_URL: database.url, KEY_PEPPER }
  await using service = await openService(env, clock)
  for (const { id } of owned) assert.equal(await requestsOf(service, id), 3)
})

test('policies, reservations and approvals are copied: given ones can be used, waiting ones decided', async () => {
  await using folder = await tempFolder()
  await using database = await testDatabase()
  const clock = testClock(Date.now())
  const rules = [
    { rule: 'actions', allow: ['stake'] },
    { rule: 'approvalAbove', amount: '15000000000' },
    { rule: 'maxPerWindow', amount: '40000000000', window: 'day' },
  ] as const
  const decide = async (service: Service, approvalId: string) =>
    (await adminClient(service)).decideApproval({ id, approvalId, decision: 'approve' })
  const sender = `0x${'a1'.repeat(32)}`
  const stakeAt = (url: string, amount: string, approvalId?: string) =>
    createClient({ baseUrl: url, apiKey, retries: 0 }).buildStake({
      validatorId,
      amount,
      sender,
      ...(approvalId && { approvalId }),
    })
  let [id, apiKey, validatorId, given, waiting] = ['', '', '', '', '']
  {
    await using service = await openService({ DATA_DIR: folder.path }, clock)
    ;({ id, apiKey } = await register(service))
    await (await adminClient(service)).writePolicy({ id, rules })
    const { data } = await createClient({ baseUrl: service.url }).validators()
    validatorId = data.find(({ status }) => status === 'active')?.id ?? ''
    await stakeAt(service.url, '10000000000')
    given = (await approvalOf(stakeAt(service.url, '20000000000'))).approvalId
    waiting = (await approvalOf(stakeAt(service.url, '20000000001'))).approvalId
    await decide(service, given)
  }
  const copied = await migrateStore(folder.path, database.url)
  assert.deepEqual([copied['policies'], copied['reservations'], copied['approvals']], [1, 1, 2])
  const KEY_PEPPER = (await readFile(join(folder.path, 'key-pepper'), 'utf8')).trim()
  const env = { DATA_DIR: folder.path, DATABASE_URL: database.url, KEY_PEPPER }
  await using service = await openService(env, clock)
  assert.equal((await approvalOf(stakeAt(service.url, '20000000001'))).approvalId, waiting)
  await stakeAt(service.url, '20000000000', given)
  await assert.rejects(stakeAt(service.url, '20000000000', given), { code: 'forbidden' })
  await decide(service, waiting)
  const full = stakeAt(service.url, '20000000001', waiting)
  await assert.rejects(
    full,
    { code: 'forbidden', message: /maxPerWindow/ },
    'builds from before the move count',
  )
})

test('the copy uses KEY_PEPPER and checks it, and never creates a new pepper', async () => {
  await using folder = await tempFolder()
  await using database = await testDatabase()
  const KEY_PEPPER = 'the pepper of this service, in its environment'
  let apiKey = ''
  {
    await using service = await openService({ DATA_DIR: folder.path, KEY_PEPPER })
    apiKey = (await register(service)).apiKey
  }
  await assert.rejects(migrateStore(folder.path, database.url), /Set KEY_PEPPER/)
  assert(!existsSync(join(folder.path, 'key-pepper')))
  const wrong = KEY_PEPPER.toUpperCase()
  await assert.rejects(
    migrateStore(folder.path, database.url, wrong),
    /differs from the one that this store was created with/,
  )
  await migrateStore(folder.path, database.url, KEY_PEPPER)
  const verdict = await verifyPostgresAudit(database.url, auditSeal(KEY_PEPPER))
  assert.equal(verdict.kind, 'intact')
  await using service = await openService({ DATA_DIR: folder.path, DATABASE_URL: database.url, KEY_PEPPER })
  assert.equal((await used(service.url, apiKey)).status, 200)
})

test('an audit log that was tampered with is not copied, because it would look intact in the new store', async () => {
  await using folder = await tempFolder()
  await using database = await testDatabase()
  {
    await using service = await openService({ DATA_DIR: folder.path })
    await used(service.url, (await register(service)).apiKey)
  }
  {
    using embedded = new DatabaseSync(join(folder.path, 'stakewright.db'))
    embedded.exec("update audit_batches set body = replace(body, 'metadata', 'usage')")
  }
  await assert.rejects(migrateStore(folder.path, database.url), /was changed after it was written/)
})
