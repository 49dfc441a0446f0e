import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { TIERS } from '@stakewright/contract/limits'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { openPostgresAdmission } from '#adapters/sql/postgres/admission.ts'
import { listAuditDays } from '#adapters/sql/postgres/audit/partitions.ts'
import { verifyPostgresAudit } from '#adapters/sql/postgres/audit/verify.ts'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import { followingClock } from '#adapters/system/following-clock.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { admissionRules } from '#domain/limits/admission-rules.ts'
import type { Admission, Decision } from '#ports/stores/admission.ts'
import { DAY_MS } from '../../src/durations.ts'
import { AUDIT_SECRET, agentCalled, requestOf } from '../limits/admission-store.ts'
import { openTestPostgres } from '../support/services/test-postgres.ts'
import { silentLogger } from '../support/silent-logger.ts'

const WRONG_BY = [0, -300_000, 300_000, -DAY_MS, DAY_MS, -30 * DAY_MS, 30 * DAY_MS]
const LIMIT = 10

const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })

/** An instance with a wrong clock refuses its first request, learns the time of the store by it, and accepts the retry. */
async function admitWithRetry(admission: Admission, at: number): Promise<Decision> {
  const ask = () => admission.admit(requestOf('a', at))
  return ask().catch(ask)
}

test('instances whose clocks are wrong by up to a month use the clock of the store: limits and log days are exact', async () => {
  await using store = await openTestPostgres()
  await using opened = new AsyncDisposableStack()
  const seal = auditSeal(AUDIT_SECRET)
  const rules = admissionRules({ tiers: TIERS })
  await sqlAgents({ db: store.db, secrets }).register(
    agentCalled('a', { customLimits: { rpm: 1_000, rpd: LIMIT } }),
    undefined,
  )
  const startedOn = Math.floor(Date.now() / DAY_MS)
  const decisions: Decision[] = []
  for (const offset of WRONG_BY) {
    const clock = followingClock({ own: { now: () => Date.now() + offset } })
    const needs = { store, rules, secrets, seal, clock, logger: silentLogger, instance: randomUUID() }
    const admission = opened.use(await openPostgresAdmission(needs))
    const at = clock.now()
    decisions.push(await admitWithRetry(admission, at))
    decisions.push(...(await Promise.all([1, 2].map(() => admission.admit(requestOf('a', clock.now()))))))
  }
  const admitted = decisions.filter(({ kind }) => kind === 'admitted')
  const isSameDay = startedOn === Math.floor(Date.now() / DAY_MS)
  if (isSameDay) assert.equal(admitted.length, LIMIT)
  assert.equal(decisions.length, 3 * WRONG_BY.length)
  const verdict = await verifyPostgresAudit(store.url, seal)
  assert(verdict.kind === 'intact', JSON.stringify(verdict))
  const today = new Date().toISOString().slice(0, 10)
  if (isSameDay) assert.deepEqual([verdict.from, verdict.to], [today, today])
  assert((await listAuditDays(store.db)).includes(startedOn))
})
