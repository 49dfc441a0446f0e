import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalOf } from '../api/refused.ts'
import { VALIDATORS } from '../fake-full-node/sample-network.ts'
import { sampleWorld } from '../sui/opened-chain.ts'
import { openChainApp } from '../support/chain-app.ts'

/** Nodes that ask for a pause: a caller is told to wait as long as the service itself does. */

const stake = { validatorId: VALIDATORS.steady, amount: '5000000000' }
const asksFor = (seconds: number) => () =>
  ({ kind: 'http-status', status: 429, headers: { 'retry-after': String(seconds) } }) as const

test('503: before the first data callers wait for the pause that the node asks for', async () => {
  await using app = await openChainApp('ika', [{ ...sampleWorld('ika'), chainId: 'another' }])
  app.clock.advance(60_000)
  for (const node of app.nodes) node.plan = asksFor(12)
  await assert.rejects(app.runJob('watch-network'))
  for (const call of [app.agent.validators(), app.agent.buildStake(stake)]) {
    const { code, retryAfterSeconds, message } = await refusalOf(call)
    assert.deepEqual([code, retryAfterSeconds], ['store_not_ready', 12])
    assert.match(message, /Try again in 12 s\.$/)
  }
  app.clock.advance(11_000)
  assert.equal((await refusalOf(app.agent.validators())).retryAfterSeconds, 2)
})

test('503: of two nodes the first that may be asked decides for reads, the second for builds', async () => {
  await using app = await openChainApp('ika', [sampleWorld('ika'), sampleWorld('ika')])
  const [first, second] = app.nodes
  assert(first && second)
  second.plan = asksFor(40)
  const { code, retryAfterSeconds } = await refusalOf(app.agent.buildStake(stake))
  assert.deepEqual([code, retryAfterSeconds], ['rpc_unavailable', 40])
  assert.equal((await app.agent.epoch()).dataAgeSeconds, 0)
  first.plan = asksFor(25)
  await assert.rejects(app.runJob('watch-network'))
  app.clock.advance(1_000_000)
  await assert.rejects(app.runJob('watch-network'))
  const old = await refusalOf(app.agent.validators())
  assert.deepEqual([old.code, old.retryAfterSeconds], ['rpc_unavailable', 25])
})
