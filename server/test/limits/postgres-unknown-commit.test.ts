import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TIERS } from '@stakewright/contract/limits'
import { toBatch } from '#adapters/sql/audit/batch.ts'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { openPostgresAdmission } from '#adapters/sql/postgres/admission.ts'
import { verifyPostgresAudit } from '#adapters/sql/postgres/audit/verify.ts'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { admissionRules } from '#domain/limits/admission-rules.ts'
import { openSlowProxy } from '../scale/support/slow-proxy.ts'
import { migratedDatabase, openWithLongTimeouts } from '../support/services/test-postgres.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { testClock } from '../support/test-clock.ts'
import { agentCalled, requestOf } from './admission-store.ts'

const NOON = Date.UTC(2026, 0, 31, 12)
const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
const seal = auditSeal('the secret of these tests')

/** The answer of the server that is lost, and how many of the three requests the log then has. */
const LOST = [
  { answer: 'COMMIT', logged: 3 },
  { answer: 'BEGIN', logged: 2 },
] as const

for (const { answer, logged } of LOST) {
  test(`when the answer to ${answer} is lost, outcomes and refusals are recorded once`, async () => {
    await using database = await migratedDatabase()
    await using proxy = await openSlowProxy(database.url)
    await using store = await openWithLongTimeouts(proxy.url)
    const rules = admissionRules({ tiers: TIERS })
    const agents = sqlAgents({ db: store.db, secrets })
    await agents.register(agentCalled('a', { customLimits: { rpm: 50, rpd: 50 } }), undefined)
    {
      const clock = testClock(NOON)
      const needs = { store, rules, secrets, seal, clock, logger: silentLogger, instance: 'this one' }
      await using admission = await openPostgresAdmission(needs)
      const first = await admission.admit(requestOf('a', NOON))
      assert(first.kind === 'admitted')
      for (let time = 0; time < 3; time += 1) {
        admission.noteRefusal({ endpoint: '/x', status: 401, at: NOON, truncatedAddress: '192.0.2.0' })
      }
      admission.finish(first.ticket, 200, 1)
      proxy.lose(answer)
      await assert.rejects(admission.admit(requestOf('a', NOON)), { code: 'store_not_ready' })
      assert.equal((await admission.admit(requestOf('a', NOON))).kind, 'admitted')
    }
    const rows = await store.db.selectFrom('audit_batches').select('body').execute()
    const batches = rows.map(({ body }) => toBatch(body))
    assert.equal(batches.flatMap(({ i }) => i).length, logged)
    assert.equal(batches.flatMap(({ o }) => o).length, 1)
    const weights = batches.flatMap(({ r }) => r.map(([, , , , weight]) => weight))
    assert.equal(
      weights.reduce((sum, weight) => sum + weight, 0),
      3,
    )
    assert.equal((await verifyPostgresAudit(database.url, seal)).kind, 'intact')
  })
}
