import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@stakewright/client'
import { ADMIN, clientOfTier } from '../builder-agent.ts'
import { openTestApp } from '../test-app.ts'

const TOKEN = 1_000_000_000n
const tokenId = (no: number) => `0x${String(no).padStart(64, '0')}`

async function position(client: Client, pick: 'best' | 'worst', no: number, tokens = 1_000_000n) {
  const { data } = await client.validators()
  const active = data
    .filter(({ status, apy }) => status === 'active' && apy !== null)
    .toSorted((a, b) => (b.apy ?? 0) - (a.apy ?? 0))
  const validator = pick === 'best' ? active[0] : active.at(-1)
  return {
    stakedTokenId: tokenId(no),
    validatorId: validator?.id ?? '',
    principal: String(tokens * TOKEN),
  }
}

test('403: free keys are told what they need, before their input is looked at', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'free')
  await assert.rejects(client.planRebalance({ positions: [] }), { code: 'forbidden', message: /builder/ })
  assert.equal(client.last?.rateLimit?.remaining, 9)
})

test('200: stake that earns too little moves, unstakes before the stakes they fund, to the unit', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  const positions = [await position(client, 'worst', 1, 3_000_000n), await position(client, 'worst', 2)]
  const plan = await client.planRebalance({ positions })
  const { steps, summary } = plan
  assert.equal(summary.recommendation, 'move')
  assert(summary.projectedWeightedApy > summary.currentWeightedApy)
  assert(summary.breakEvenEpochs !== null && summary.breakEvenEpochs > 0)
  assert.equal(summary.estimatedEpochsToComplete, 2)
  assert.deepEqual(
    steps.map(({ order }) => order),
    steps.map((_, at) => at + 1),
  )
  const sum = (action: string) =>
    steps.reduce((total, step) => total + (step.action === action ? BigInt(step.amount) : 0n), 0n)
  assert.equal(sum('unstake'), sum('stake'))
  const firstStake = steps.findIndex(({ action }) => action === 'stake')
  assert(steps.slice(firstStake).every(({ action }) => action === 'stake'))
  assert(steps.every(({ requiresEpochWait }) => requiresEpochWait))
  assert.equal(plan.currentPositions.length, 2)
})

test('200: stake that is well placed stays, and the reason is said', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  const { allocations } = await client.allocate({ amount: String(1_000_000n * TOKEN), maxValidators: 10 })
  const positions = allocations.map(({ validatorId, amount }, no) => ({
    stakedTokenId: tokenId(no),
    validatorId,
    principal: amount,
  }))
  const { steps, summary } = await client.planRebalance({ positions })
  assert.deepEqual(steps, [])
  assert.equal(summary.recommendation, 'hold')
  assert.equal(summary.projectedWeightedApy, summary.currentWeightedApy)
  assert.equal(summary.estimatedEpochsToComplete, 0)
  assert.equal(summary.breakEvenEpochs, null)
  assert(summary.reason.length > 20)
})

test('200: after the middle of the epoch everything takes one epoch longer', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  app.clock.advance(300_000)
  await app.runJob('watch-network')
  const { summary } = await client.planRebalance({ positions: [await position(client, 'worst', 1)] })
  assert.equal(summary.estimatedEpochsToComplete, 3)
})

test('400: unknown validators, repeated tokens, empty principals and too many positions name the item', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  const good = await position(client, 'worst', 1)
  const wrong = [
    [[], 'positions'],
    [Array.from({ length: 51 }, (_, no) => ({ ...good, stakedTokenId: tokenId(no) })), 'positions'],
    [[good, { ...good, stakedTokenId: tokenId(2), validatorId: 'nobody' }], 'positions[1].validatorId'],
    [[good, good], 'positions[1].stakedTokenId'],
    [[{ ...good, principal: '0' }], 'positions[0].principal'],
    [[{ ...good, principal: '1.5' }], 'positions[0].principal'],
  ] as const
  for (const [positions, field] of wrong) {
    await assert.rejects(
      client.planRebalance({ positions: [...positions] }),
      (error: { status: number; details: { field: string }[] }) => {
        assert.equal(error.status, 400)
        assert.equal(error.details[0]?.field, field)
        return true
      },
    )
  }
  for (const maxTargets of [0, 11]) {
    await assert.rejects(client.planRebalance({ positions: [good], maxTargets }), { status: 400 })
  }
})
