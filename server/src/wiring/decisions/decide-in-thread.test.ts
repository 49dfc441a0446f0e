import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allocator } from '#domain/staking/allocation/allocation.ts'
import { alternativesIn } from '#domain/staking/allocation/alternatives.ts'
import {
  type AllocationQuestion,
  decideAllocation,
  decidePlan,
  type PlanQuestion,
} from '#domain/staking/decisions/decide.ts'
import { assumedToken } from '#domain/staking/rebalance/held-token.ts'
import { scoreValidators } from '#domain/staking/scoring/score.ts'
import { stakeOptionsOf } from '#domain/staking/stake-options.ts'
import { sampleNetwork, variedValidators } from '../../../test/support/sample-network.ts'
import { openDecisionThread } from './decide-in-thread.ts'

const { snapshot, records } = sampleNetwork(variedValidators(40, 7))
const market = stakeOptionsOf(snapshot, scoreValidators(snapshot, records))
const ids = market.options.filter(({ eligible }) => eligible).map(({ validatorId }) => validatorId)
const GROUPS = [{ name: 'half', validatorIds: new Set(ids.slice(0, 20)), maxShare: 0.4 }]
const OTHERS = [{ maxShare: 0.3 }, { maxShare: 1e-9 }, {}]
const ANN = { group: '1', member: '1' }
const BOB = { group: '2', member: '2' }
const { signal } = new AbortController()

const plan: PlanQuestion = {
  kind: 'plan',
  limits: { groups: GROUPS, maxShare: 0.2 },
  others: OTHERS,
  asked: {
    tokens: ids.slice(0, 10).map((validatorId, at) =>
      assumedToken({
        stakedTokenId: `0x${at + 1}`,
        validatorId,
        principal: 10n ** 14n * BigInt(at + 1),
      }),
    ),
    maxTargets: 10,
  },
}

const allocation: AllocationQuestion = {
  kind: 'allocation',
  limits: { groups: GROUPS, maxShare: 0.2 },
  others: OTHERS,
  asked: { amount: 10n ** 16n, maxValidators: 10, explain: true },
  wantsAlternatives: true,
}

test('decisions in the thread are those of the event loop', async () => {
  await using thread = openDecisionThread()
  assert.deepEqual(await thread.decide(market, plan, ANN, signal), decidePlan(market, plan))
  const prepared = { allocate: allocator(market), alternatives: alternativesIn(market) }
  const decided = await thread.decide(market, allocation, ANN, signal)
  assert.deepEqual(decided, decideAllocation(prepared, allocation))
  assert.deepEqual(
    decided.yields.map((found) => typeof found),
    ['number', 'undefined', 'number'],
  )
})

test('yields for which the work does not suffice are left out, and the decision is the same', () => {
  const { plan: whole } = decidePlan(market, plan)
  const without = decidePlan(market, plan, 0)
  assert.deepEqual([without.plan, without.yields], [whole, []])
  const prepared = { allocate: allocator(market), alternatives: alternativesIn(market) }
  const all = decideAllocation(prepared, allocation)
  const { yields, ...same } = decideAllocation(prepared, allocation, 0)
  assert.deepEqual({ ...same, yields: all.yields }, all)
  assert(yields.length < OTHERS.length)
})

test('a refusal of the thread is that of the event loop', async () => {
  await using thread = openDecisionThread()
  const refused = { ...allocation, limits: { exclude: new Set(ids) } }
  const prepared = { allocate: allocator(market), alternatives: alternativesIn(market) }
  const here = await Promise.try(() => decideAllocation(prepared, refused)).catch((error: unknown) => error)
  await assert.rejects(thread.decide(market, refused, ANN, signal), (error: Error) => {
    const { stack: _, ...parts } = error
    assert.deepEqual(parts, { ...(here as Error) })
    return error.message === (here as Error).message
  })
})

test('an aborted decision leaves the thread to the next caller', async () => {
  await using thread = openDecisionThread()
  const abort = new AbortController()
  const aborted = thread.decide(market, plan, ANN, abort.signal)
  const next = thread.decide(market, plan, BOB, signal)
  abort.abort()
  await assert.rejects(aborted, { name: 'AbortError' })
  assert.deepEqual(await next, decidePlan(market, plan))
})
