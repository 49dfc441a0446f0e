import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { TIERS } from '@stakewright/contract/limits'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { openPostgresAdmission } from '#adapters/sql/postgres/admission.ts'
import { postgresAgentBatches } from '#adapters/sql/postgres/audit/agent-batches.ts'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import { sqlForecasts } from '#adapters/sql/stores/chain/forecasts.ts'
import { sqlReadRates } from '#adapters/sql/stores/chain/read-rates.ts'
import { sqlSnapshots } from '#adapters/sql/stores/chain/snapshots.ts'
import { dropExpired } from '#adapters/sql/stores/drop-expired.ts'
import { sqlAgentKeys } from '#adapters/sql/stores/keys/named-keys.ts'
import { sqlOutbox } from '#adapters/sql/stores/outbox.ts'
import { sqlKeptBuilds } from '#adapters/sql/stores/policy/kept-builds.ts'
import { sqlRequestLog } from '#adapters/sql/stores/request-log.ts'
import { sqlSandboxStates } from '#adapters/sql/stores/sandbox-states.ts'
import { sqlSignInCodes } from '#adapters/sql/stores/sign-in/sign-in-codes.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { TRANSITIONS } from '#domain/agents/agent-state.ts'
import { admissionRules } from '#domain/limits/admission-rules.ts'
import { agentQueues } from '#wiring/agent-queues.ts'
import { queuedMails } from '../agents/queued-mails.ts'
import {
  migratedDatabase,
  openTestPostgres,
  openWithLongTimeouts,
} from '../support/services/test-postgres.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { testClock } from '../support/test-clock.ts'
import { admissionSuite } from './suites/admission/admission.ts'
import { agentsSuite } from './suites/agents.ts'
import { keptBuildsSuite } from './suites/kept-builds.ts'
import { outboxSuite } from './suites/outbox.ts'
import { readRatesSuite } from './suites/read-rates.ts'
import { active, NOW, OWNER, recordOf } from './suites/sample-agents.ts'
import { sandboxStatesSuite } from './suites/sandbox-states.ts'
import { signInCodesSuite } from './suites/sign-in-codes.ts'
import { snapshotsSuite } from './suites/snapshots.ts'

const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
const otherSecrets = openSecrets({ keyPrefix: 'stk', pepper: 'another pepper' })
const seal = auditSeal('the secret of these tests')
const rules = admissionRules({ tiers: TIERS })

async function openStores() {
  const store = await openTestPostgres()
  const { db } = store
  return {
    snapshots: sqlSnapshots({ db, logger: silentLogger }),
    forecasts: sqlForecasts({ db, logger: silentLogger }),
    readRates: sqlReadRates(db),
    states: sqlSandboxStates(db),
    outbox: sqlOutbox({ db, secrets }),
    strangersOutbox: sqlOutbox({ db, secrets: otherSecrets }),
    codes: sqlSignInCodes({ db, secrets }),
    agents: sqlAgents({ db, secrets }),
    kept: sqlKeptBuilds({ db, queueByAgent: agentQueues(), secrets, logger: silentLogger }),
    agentNo: async (id: string) =>
      (await db.selectFrom('agents').select('no').where('id', '=', id).executeTakeFirstOrThrow()).no,
    dropExpired: (before: number) => dropExpired(db, before),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

async function openAdmission(url: string) {
  await using opened = new AsyncDisposableStack()
  const store = opened.use(await openWithLongTimeouts(url))
  const { db } = store
  const needs = {
    store,
    rules,
    secrets,
    seal,
    clock: testClock(),
    logger: silentLogger,
    instance: randomUUID(),
  }
  const admission = opened.use(await openPostgresAdmission(needs))
  const resources = opened.move()
  return {
    db,
    admission,
    agents: sqlAgents({ db, secrets }),
    agentKeys: sqlAgentKeys({ db, secrets }),
    requestLog: sqlRequestLog(db, postgresAgentBatches(db, seal)),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function openAgents() {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await migratedDatabase())
  const store = opened.use(await openAdmission(database.url))
  const resources = opened.move()
  return {
    agents: store.agents,
    async keyWorks(digest: string, at: number) {
      const claim = { kind: 'agent-key', digest: () => digest } as const
      const request = { claim, endpoint: 'usage', at, truncatedAddress: '192.0.2.0' }
      const { kind } = await store.admission.admit(request)
      return kind === 'admitted' || kind === 'limited'
    },
    recipients: async () => (await queuedMails(store.db, secrets)).map((mail) => mail.to),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

snapshotsSuite('Postgres', openStores)
readRatesSuite('Postgres', openStores)
sandboxStatesSuite('Postgres', openStores)
outboxSuite('Postgres', openStores)
signInCodesSuite('Postgres', openStores)
keptBuildsSuite('Postgres', openStores)
agentsSuite('Postgres', openAgents)
admissionSuite('Postgres', async () => {
  const database = await migratedDatabase()
  return {
    open: () => openAdmission(database.url),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
})

test('of several revocations of a named key that come at once, each tells the date of the first', async () => {
  await using store = await openTestPostgres()
  const keys = sqlAgentKeys({ db: store.db, secrets })
  await sqlAgents({ db: store.db, secrets }).register(active('a'), undefined)
  const { action: _, ...context } = recordOf('revoke-key')
  const record = { ...context, actions: [], notice: () => undefined }
  const terms = { name: '', scopes: [], networks: [], createdAt: NOW, expiresAt: undefined }
  for (const id of ['one', 'two', 'three', 'four']) {
    const key = { id, ...terms, key: { digest: id, prefix: id } }
    const rules = { step: TRANSITIONS.rotate, most: 9, forgetBefore: 0, keptEnded: 9 }
    assert.equal((await keys.add(OWNER, 'a', key, rules, record)).kind, 'added')
    const dates = [1, 2, 3, 4].map(async (later) => {
      const revoked = await keys.revoke(OWNER, 'a', id, NOW + later, record)
      return revoked?.revokedAt
    })
    assert.equal(new Set(await Promise.all(dates)).size, 1)
  }
})
