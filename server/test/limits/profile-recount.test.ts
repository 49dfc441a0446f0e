import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AdmittedRequest } from '#adapters/sql/audit/batch.ts'
import { ENDPOINT_KINDS } from '#domain/agents/endpoint-kinds.ts'
import { firstDayOfProfile, profileOf } from '#domain/agents/profile.ts'
import { DAY_MS, PROFILE_DAYS } from '../../src/durations.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { testClock } from '../support/test-clock.ts'
import { agentCalled, openAdmissionStore, requestOf } from './admission-store.ts'
import { readAudit } from './read-audit.ts'

const CARE_MS = 900_000
const ENDPOINTS = [...Object.keys(ENDPOINT_KINDS), 'sandboxExecute']
const CREATED = Date.UTC(2026, 0, 1, 23, 50)

/** A simple model of the profile: counts everything from the rows of the log. */
function recount(admitted: readonly AdmittedRequest[], now: number) {
  const firstDay = Math.floor(now / DAY_MS) - PROFILE_DAYS + 1
  const tools: Record<string, number> = {}
  let built = 0
  let aware = 0
  admitted.forEach(([, at, , endpoint], place) => {
    if (Math.floor(at / DAY_MS) < firstDay) return
    tools[endpoint] = (tools[endpoint] ?? 0) + 1
    if (!endpoint.startsWith('build')) return
    const lastOf = (kind: string) =>
      admitted.slice(0, place).findLast(([, , , earlier]) => ENDPOINT_KINDS[earlier] === kind)?.[1] ??
      -Infinity
    built += 1
    if (lastOf('look-up') >= at - CARE_MS && lastOf('policy-check') >= at - CARE_MS) aware += 1
  })
  const count = (kind: string) =>
    ENDPOINTS.reduce((sum, name) => sum + (ENDPOINT_KINDS[name] === kind ? (tools[name] ?? 0) : 0), 0)
  return { tools, built, aware, counts: ['look-up', 'computation', 'policy-check'].map(count) }
}

const step = fc.record({
  endpoint: fc.constantFrom(...ENDPOINTS),
  wait: fc.constantFrom(0, 1_000, 400_000, 900_000, 5_000_000, DAY_MS, -60_000, -DAY_MS),
  together: fc.boolean(),
  isRestarted: fc.integer({ min: 0, max: 80 }).map((drawn) => drawn === 0),
})

test('a profile equals a recount of the rows of the log, over day borders, restarts and clock steps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 160, size: 'max' }), async (steps) => {
      await using folder = await tempFolder()
      const clock = testClock(CREATED)
      let store = await openAdmissionStore(folder.path, clock)
      const limits = { rpm: 1_000, rpd: 1_000 }
      await store.agents.register(agentCalled('a', { customLimits: limits, createdAt: CREATED }), undefined)
      await store.agents.register(agentCalled('b', { customLimits: limits }), undefined)
      for (const { endpoint, wait, together, isRestarted } of steps) {
        clock.advance(wait)
        const asked = store.admission.admit(requestOf('a', clock.now(), { endpoint }))
        if (!together) await asked
        await store.admission.admit(requestOf('b', clock.now(), { endpoint: 'buildStake' }))
        if (!isRestarted) continue
        await store[Symbol.asyncDispose]()
        store = await openAdmissionStore(folder.path, clock)
      }
      const now = clock.now()
      const profile = profileOf(await store.requestLog.daysOf('a', firstDayOfProfile(now)), CREATED, now)
      await store[Symbol.asyncDispose]()
      const own = readAudit(folder.path).admitted.filter(([, , agentNo]) => agentNo === 1)
      assert.equal(own.length, steps.length)
      const { tools, built, aware, counts } = recount(own, now)
      assert.deepEqual(profile.toolBreakdown, tools)
      const { termShoppingCount, underwritingCount, policyCheckCount } = profile
      assert.deepEqual([termShoppingCount, underwritingCount, policyCheckCount], counts)
      assert.equal(profile.riskAwarenessScore, built === 0 ? 0 : Math.round((1e4 * aware) / built) / 100)
    }),
    { numRuns: 6, endOnFailure: true },
  )
})
