import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINT_LIMITS } from '#adapters/sui/connection/endpoint.ts'
import { refusalOf } from '../api/refused.ts'
import { EPOCH, NOW, sampleNetwork, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { sampleWorld, WORLDS } from '../sui/opened-chain.ts'
import { type ChainApp, openChainApp } from '../support/chain-app.ts'

/** Nodes that send Retry-After or do not answer: callers are told to wait as long as the service itself waits. */

const stake = { validatorId: VALIDATORS.steady, amount: '5000000000' }
const asksFor = (seconds: number) => () =>
  ({ kind: 'http-status', status: 429, headers: { 'retry-after': String(seconds) } }) as const

test('503: before the first data, Retry-After is the pause that the node asks for', async () => {
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

test('503: with two nodes, Retry-After is the shorter pause for reads and the longer one for builds', async () => {
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

/** Moves the chain on by a minute and reads it, until a read succeeds: on a busy machine the node may be late. */
async function lookUntilRead(app: ChainApp): Promise<void> {
  for (;;) {
    app.clock.advance(60_000)
    const now = app.clock.now()
    const network = sampleNetwork({
      checkpoint: 5_000 + Math.floor((now - NOW) / 250),
      checkpointAt: now - 400,
    })
    for (const node of app.nodes) node.world = WORLDS.ika(network)
    await app.runJob('watch-network').catch(() => undefined)
    const read = await app.agent.epoch().catch(() => undefined)
    if (read?.dataAgeSeconds === 0) return
  }
}

/** A build, or undefined if the node was too late. */
const builtNow = (app: ChainApp) =>
  app.agent.buildStake(stake).catch((refusal) => {
    assert.equal(refusal.code, 'rpc_unavailable')
  })

test('no answer at all: the last data are served with their true age, and are fresh once the node recovers', async () => {
  const { callMs } = ENDPOINT_LIMITS
  await using app = await openChainApp('ika', [sampleWorld('ika')], {}, { callMs })
  await lookUntilRead(app)
  const { data } = await app.agent.validators()
  for (const node of app.nodes) node.plan = () => ({ kind: 'silent' })
  app.clock.advance(5_000)
  await assert.rejects(app.runJob('watch-network'))
  const { epoch, dataAgeSeconds } = await app.agent.epoch()
  assert.deepEqual([epoch, dataAgeSeconds], [EPOCH, 5])
  assert.deepEqual((await app.agent.validators()).data, data)
  for (const node of app.nodes) node.plan = () => undefined
  await lookUntilRead(app)
  let built = await builtNow(app)
  while (!built) {
    await lookUntilRead(app)
    built = await builtNow(app)
  }
  assert.equal(built.epoch, EPOCH)
})
