import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS } from '../../src/durations.ts'
import { startFakeFullNode } from '../fake-full-node/fake-full-node.ts'
import { EPOCH, NOW, sampleNetwork, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { WORLDS } from '../sui/opened-chain.ts'
import { openChainApp } from '../support/chain-app.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { testClock } from '../support/test-clock.ts'

/** Real chains have their own time: after a wrong clock, the service serves again at the first read with a correct one. */

const stake = { validatorId: VALIDATORS.steady, amount: '5000000000' }
const STEPS = [
  ['ika', -400 * DAY_MS],
  ['walrus', -HOUR_MS],
  ['sui', HOUR_MS],
  ['ika', 400 * DAY_MS],
] as const

/** The chain at the true time `now`. */
const worldAt = (network: (typeof STEPS)[number][0], now: number) =>
  WORLDS[network](
    sampleNetwork({ checkpoint: 5_000 + Math.floor((now - NOW) / 250), checkpointAt: now - 400 }),
  )

async function assertServes(app: TestApp, ageSeconds = 0): Promise<void> {
  const { epoch, dataAgeSeconds } = await app.client().epoch()
  assert.deepEqual([epoch, dataAgeSeconds], [EPOCH, ageSeconds])
  assert.equal((await app.client().health()).historyComplete, true)
}

for (const [network, step] of STEPS) {
  const title = `${step / HOUR_MS} hours off (${network})`

  test(`a first start with a clock that is ${title} serves no chain data before the clock is right`, async () => {
    await using node = await startFakeFullNode(worldAt(network, NOW))
    const clock = testClock(NOW + step)
    const env = { NETWORK: network, SUI_RPC_URLS: node.url, SUI_RPC_CALLS: '1000000', REFRESH_MS: '30000' }
    await using app = await openTestApp({ env, clock, runsJobs: false })
    await assert.rejects(app.client().epoch(), { code: 'store_not_ready' })
    clock.set(NOW)
    await app.runJob('watch-network')
    await assertServes(app)
  })

  test(`while the clock is ${title}, nothing is built; once it is right, builds have the true time again`, async () => {
    await using app = await openChainApp(network, [worldAt(network, NOW), worldAt(network, NOW)])
    const minute = 60_000
    for (const later of [minute, 2 * minute]) {
      for (const node of app.nodes) node.world = worldAt(network, NOW + later)
      app.clock.set(NOW + later + step)
      await app.runJob('watch-network').catch(() => undefined)
      await assert.rejects(app.agent.buildStake(stake), { code: 'rpc_unavailable' })
    }
    app.clock.set(NOW + 3 * minute)
    for (const node of app.nodes) node.world = worldAt(network, NOW + 3 * minute)
    await app.runJob('watch-network')
    await assertServes(app)
    const { issuedAt } = (await app.agent.buildStake(stake)).intent
    assert.equal(issuedAt, new Date(NOW + 3 * minute).toISOString())
  })
}

test('a restart with a wrong clock keeps the stored chain data, and a start with the right clock serves them', async () => {
  await using folder = await tempFolder()
  await using node = await startFakeFullNode(worldAt('ika', NOW))
  const env = { NETWORK: 'ika', SUI_RPC_URLS: node.url, SUI_RPC_CALLS: '1000000', REFRESH_MS: '30000' }
  const openAt = (now: number) =>
    openTestApp({ env, folder: folder.path, clock: testClock(now), runsJobs: false })
  {
    await using app = await openAt(NOW)
    await assertServes(app)
  }
  for (const [, step] of STEPS) {
    await using app = await openAt(NOW + step)
    await assert.rejects(app.client().epoch(), { code: 'rpc_unavailable' })
  }
  node.plan = () => ({ kind: 'reset' })
  await using app = await openAt(NOW + 5_000)
  await assertServes(app, 5)
})
