import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestChain } from '#adapters/sandbox/test-chain.ts'
import { openTestApp } from '../../support/test-app.ts'
import { testClock } from '../../support/test-clock.ts'

test('the present is served while the past is still being read', async () => {
  const { chain, clock } = await openTestChain()
  const past = Promise.withResolvers<void>()
  const slow: typeof chain = {
    ...chain,
    readEpochs: async (fromEpoch, deadline) => {
      await past.promise
      return chain.readEpochs(fromEpoch, deadline)
    },
  }
  await using app = await openTestApp({ chain: slow, clock: testClock(clock.now()), pastPatienceMs: 0 })
  const early = await app.client().validators()
  assert.equal(early.historyComplete, false)
  assert(early.data.length > 50)
  assert(early.data.every(({ score }) => score === null))
  past.resolve()
  await app.runJob('watch-network')
  const late = await app.client().validators()
  assert.equal(late.historyComplete, true)
  assert(late.data.some(({ score }) => (score ?? 0) > 50))
})
