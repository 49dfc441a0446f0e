import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestChain } from '../../sandbox/test-chain.ts'
import { ADMIN, clientOfTier } from '../../support/builder-agent.ts'
import { openTestApp } from '../../support/test-app.ts'
import { testClock } from '../../support/test-clock.ts'

test('current data are served while the history is still being read', async () => {
  const { chain, clock } = await openTestChain()
  const past = Promise.withResolvers<void>()
  const slow: typeof chain = {
    ...chain,
    readEpochs: async (fromEpoch, deadline) => {
      await past.promise
      return chain.readEpochs(fromEpoch, deadline)
    },
  }
  await using app = await openTestApp({
    chain: slow,
    clock: testClock(clock.now()),
    env: ADMIN,
    historyWaitMs: 0,
  })
  // The service waits for its reads before it stops.
  using _ = { [Symbol.dispose]: past.resolve }
  const early = await app.client().validators()
  assert.equal(early.historyComplete, false)
  assert(early.data.length > 50)
  assert(early.data.every(({ score }) => score === null))
  const agent = await clientOfTier(app, 'pro')
  const [{ id } = { id: '' }] = early.data
  const completeness = async () => [
    (await app.client().network()).historyComplete,
    (await app.client().health()).historyComplete,
    (await app.client().validator({ id })).historyComplete,
    (await app.client().validatorHistories({})).historyComplete,
    (await app.client().apyHistory({})).historyComplete,
    (await app.client().validatorApyHistory({ id })).historyComplete,
    (await app.client().validatorCommissionHistory({ id })).historyComplete,
    (await agent.scoredValidators({})).historyComplete,
    (await agent.scoredValidators({ validators: id, limit: 1 })).historyComplete,
    (await agent.allocate({ amount: '5000000000' })).historyComplete,
    (await agent.planRebalance({ owner: `0x${'5'.repeat(64)}` })).historyComplete,
    (await agent.backtest({ amount: '5000000000' })).historyComplete,
  ]
  assert.deepEqual(new Set(await completeness()), new Set([false]))
  past.resolve()
  await app.runJob('watch-network')
  assert.deepEqual(new Set(await completeness()), new Set([true]))
  const late = await app.client().validators()
  assert.equal(late.historyComplete, true)
  assert(late.data.some(({ score }) => (score ?? 0) > 50))
})
