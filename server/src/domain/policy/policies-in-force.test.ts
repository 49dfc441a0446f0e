import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policies, PolicyRevision } from '#ports/stores/policies.ts'
import { CLOCK_STEP_MS, DAY_MS } from '../../durations.ts'
import { policiesInForce } from './policies-in-force.ts'

const NOW = Date.UTC(2026, 5, 1)

const revisionOf = (
  revision: number,
  holdsUntil: number | undefined,
  rules: PolicyRevision['document']['rules'] = [],
): PolicyRevision => ({
  revision,
  hash: '',
  document: { rules, loosenAfterSeconds: 0 },
  changedAt: NOW,
  changedBy: { id: 'ann', role: 'user' },
  holdsUntil,
})

/** The revisions in force, read from a store with these revisions, and the number of reads. */
function opened(stored: readonly PolicyRevision[]) {
  let reads = 0
  const held: Policies['held'] = async (_, { now }) => {
    reads += 1
    return stored.filter(({ holdsUntil = Infinity }) => holdsUntil > now)
  }
  const unexpected = () => assert.fail('only `held` may be called')
  const others = { heldBy: unexpected, heldByEach: unexpected, revisions: unexpected, write: unexpected }
  const inForce = policiesInForce({ policies: { held, ...others } })
  return {
    at: async (now: number, no = 1) =>
      (await inForce({ no, policyRevision: 2 }, now)).map(({ revision }) => revision),
    reads: () => reads,
  }
}

test('a clock corrected by a day: an earlier revision is in force again after a second read', async () => {
  const { at, reads } = opened([revisionOf(2, undefined), revisionOf(1, NOW + DAY_MS)])
  assert.deepEqual(await at(NOW + 2 * DAY_MS), [2])
  assert.deepEqual(await at(NOW), [2, 1])
  assert.deepEqual(await at(NOW + 1), [2, 1])
  assert.equal(reads(), 2)
})

test('a clock corrected by a small step: a revision that has just ended is in force again without a read', async () => {
  const { at, reads } = opened([revisionOf(2, undefined), revisionOf(1, NOW)])
  assert.deepEqual(await at(NOW), [2])
  assert.deepEqual(await at(NOW - 1), [2, 1])
  assert.deepEqual(await at(NOW - CLOCK_STEP_MS), [2, 1])
  assert.equal(reads(), 1)
  assert.deepEqual(await at(NOW - CLOCK_STEP_MS - 1), [2, 1])
  assert.equal(reads(), 2)
})

test('small policies of ten thousand agents are cached; of large ones only as many as take little memory', async () => {
  const readsOf = async (revision: PolicyRevision, agents: number) => {
    const { at, reads } = opened([revision])
    for (const _ of [1, 2]) for (let no = 1; no <= agents; no += 1) await at(NOW, no)
    return reads()
  }
  assert.equal(await readsOf(revisionOf(2, undefined), 10_000), 10_000)
  const allow = Array.from({ length: 200 }, (_, at) => `0x${at.toString(16).padStart(64, '0')}`)
  const large = revisionOf(2, undefined, [{ rule: 'validators', allow }])
  assert.equal(await readsOf(large, 500), 500)
  assert(JSON.stringify(large).length * 1_000 > 10_000_000)
  assert.equal(await readsOf(large, 1_000), 2_000)
})
