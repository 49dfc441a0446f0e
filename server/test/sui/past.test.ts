import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FakeFullNode, REAL_LIMITS, startFakeFullNode } from '../fake-full-node/fake-full-node.ts'
import { NOW, sampleNetwork, VALIDATORS } from '../fake-full-node/sample-network.ts'
import type { DescribedNetwork, World } from '../fake-full-node/world.ts'
import { openChainApp } from '../support/chain-app.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { testClock } from '../support/test-clock.ts'
import { sampleWorld, WORLDS } from './opened-chain.ts'

const TRUE = sampleWorld('ika')
const FIRST_RATE = sampleNetwork().validators[0]?.rates?.[25]
/** The same present state, with a history in which the first validator earned more. */
const FALSE = WORLDS.ika(withPast(sampleNetwork()))

function withPast(network: DescribedNetwork): DescribedNetwork {
  const [first, ...others] = network.validators
  assert(first && FIRST_RATE)
  const rates = first.rates?.map((rate) =>
    rate.epoch === FIRST_RATE.epoch ? { ...rate, tokens: rate.tokens + 3n } : rate,
  )
  return { ...network, validators: [{ ...first, ...(rates && { rates }) }, ...others] }
}

/** Whether the history is complete, and the served rate of the epoch about which the nodes differ. */
async function servedPast(app: TestApp) {
  const { historyComplete, data } = await app
    .client()
    .validatorApyHistory({ id: VALIDATORS.steady, period: 'all' })
  const item = data.find(({ epoch }) => epoch === (FIRST_RATE?.epoch ?? 0) - 1)
  return { historyComplete, tokens: item?.exchangeRate?.tokens }
}

const UNKNOWN = { historyComplete: false, tokens: undefined }
const KNOWN = { historyComplete: true, tokens: String(FIRST_RATE?.tokens) }

const openOn = (...worlds: readonly World[]) => openChainApp('ika', worlds)

test('two nodes with different histories: the present is served, and the history once they agree', async () => {
  await using app = await openOn(FALSE, TRUE)
  assert.deepEqual(await servedPast(app), UNKNOWN)
  assert.equal((await app.client().health()).status, 'ok')
  await app.runJob('watch-network')
  assert.deepEqual(await servedPast(app), UNKNOWN)
  for (const node of app.nodes) node.world = TRUE
  await app.runJob('watch-network')
  assert.deepEqual(await servedPast(app), KNOWN)
})

test('the history that two of three nodes agree on is served, whichever position the third has', async () => {
  for (const worlds of [
    [FALSE, TRUE, TRUE],
    [TRUE, FALSE, TRUE],
  ]) {
    await using app = await openOn(...worlds)
    assert.deepEqual(await servedPast(app), KNOWN)
  }
})

test('one of two nodes does not answer: the history waits for it, and is not read again from the other', async () => {
  await using app = await openOn(TRUE, TRUE)
  assert.deepEqual(await servedPast(app), KNOWN)
  const present = sampleNetwork()
  const next = WORLDS.ika({
    ...present,
    epoch: present.epoch + 1,
    startedAt: present.startedAt + present.durationMs,
    checkpoint: 6_000,
    checkpointAt: present.startedAt + present.durationMs + 1_000,
  })
  const [first, second] = app.nodes
  assert(first && second)
  first.limits = REAL_LIMITS
  first.world = next
  second.world = next
  second.plan = () => ({ kind: 'reset' })
  app.clock.set(present.startedAt + present.durationMs + 2_000)
  for (let more = 0; more < 3; more += 1) {
    const before: number = first.calls.length
    await app.runJob('watch-network')
    assert(more === 0 || first.calls.length - before <= 7, `${first.calls.length - before} calls`)
    const { epoch, historyComplete } = await app.client().health()
    assert.deepEqual([epoch, historyComplete], [present.epoch + 1, false])
  }
  second.plan = () => undefined
  app.clock.advance(60_000)
  for (const node of app.nodes)
    node.world = { ...next, checkpoint: 6_100, checkpointAt: app.clock.now() - 1_000 }
  await app.runJob('watch-network')
  assert.equal((await app.client().health()).historyComplete, true)
})

const RATE_IDS = new Set(
  [...TRUE.objects.values()]
    .filter(({ contents, owner }) => owner.kind === 'object' && contents.length < 100)
    .map(({ id }) => id),
)
const ratesAskedOf = ({ asked }: FakeFullNode) => asked.filter((id) => RATE_IDS.has(id)).length

/** Runs a service on two nodes, of which the second answers, with `world`, only after a restart of the service. */
async function restartWith(world: World) {
  await using folder = await tempFolder()
  await using first = await startFakeFullNode(TRUE)
  await using second = await startFakeFullNode(world)
  first.limits = REAL_LIMITS
  second.limits = REAL_LIMITS
  const startAndAsk = async () => {
    const env = { NETWORK: 'ika', SUI_RPC_URLS: `${first.url},${second.url}`, REFRESH_MS: '30000' }
    await using app = await openTestApp({ env, folder: folder.path, runsJobs: false, clock: testClock(NOW) })
    return await servedPast(app)
  }
  const asked = () => ({ first: ratesAskedOf(first), second: ratesAskedOf(second) })
  second.plan = () => ({ kind: 'reset' })
  assert.deepEqual(await startAndAsk(), UNKNOWN)
  const before = asked()
  second.plan = () => undefined
  return { served: await startAndAsk(), before, after: asked() }
}

test('history that one host gave before a restart is not read from it again', async () => {
  const { before, after, served } = await restartWith(TRUE)
  assert(before.first > 0 && before.second === 0)
  assert.deepEqual(after, { first: before.first, second: before.first })
  assert.deepEqual(served, KNOWN)
})

test('history that one host gave before a restart does not count as confirmed by another', async () => {
  const { served } = await restartWith(FALSE)
  assert.deepEqual(served, UNKNOWN)
})

/** The sample network `epochs` later, with the same rewards per epoch, and with another commission. */
function laterNetwork(epochs: number, commissionBps: number): DescribedNetwork {
  const present = sampleNetwork()
  const startedAt = present.startedAt + epochs * present.durationMs
  return sampleNetwork({
    epoch: present.epoch + epochs,
    startedAt,
    checkpoint: present.checkpoint + epochs * 1_000,
    checkpointAt: startedAt + 1_000,
    validators: present.validators.map((validator) => {
      const { rates, id } = validator
      const gain = id === VALIDATORS.greedy ? 0n : 10_000_000_000n
      const last = rates.at(-1)
      const isPaid = validator.inCommittee && last !== undefined
      const more = Array.from({ length: isPaid ? epochs : 0 }, (_, index) => ({
        epoch: present.epoch + index + 1,
        tokens: (last?.tokens ?? 0n) + gain * BigInt(index + 1),
        shares: last?.shares ?? 0n,
      }))
      return { ...validator, commissionBps, pendingCommission: [], rates: [...rates, ...more] }
    }),
  })
}

for (const network of ['ika', 'walrus', 'sui'] as const) {
  test(`a completed epoch has the commission that was read while it ran, also when its history is read later (${network})`, async () => {
    await using folder = await tempFolder()
    await using first = await startFakeFullNode(sampleWorld(network))
    await using second = await startFakeFullNode(sampleWorld(network))
    const { epoch, startedAt, durationMs } = sampleNetwork()
    const env = {
      NETWORK: network,
      SUI_RPC_URLS: `${first.url},${second.url}`,
      SUI_RPC_CALLS: '1000000',
      REFRESH_MS: '30000',
    }
    const openAt = (now: number) =>
      openTestApp({ env, folder: folder.path, runsJobs: false, clock: testClock(now) })
    const moveTo = (world: World) => {
      first.world = world
      second.world = world
    }
    const pot = await (async () => {
      await using app = await openAt(NOW)
      return (await app.client().network()).rewardsPerEpoch
    })()

    moveTo(WORLDS[network](laterNetwork(1, 900)))
    second.plan = () => ({ kind: 'reset' })
    await using app = await openAt(startedAt + durationMs + 2_000)
    const said = await app.client().network()
    assert.deepEqual([said.historyComplete, said.rewardsPerEpoch], [false, pot])

    second.plan = () => undefined
    moveTo(WORLDS[network](laterNetwork(2, 300)))
    app.clock.set(startedAt + 2 * durationMs + 2_000)
    await app.runJob('watch-network')
    const id = VALIDATORS.steady
    const changes = await app.client().validatorCommissionHistory({ id })
    assert.deepEqual(
      changes.data.map((change) => [change.epoch, change.commissionRate, change.source]),
      [
        [10, 0.05, 'assumed'],
        [epoch + 1, 0.09, 'read'],
      ],
    )
    assert.deepEqual(changes.assumedEpochs, [{ from: 10, to: epoch - 1 }])
    assert.deepEqual([changes.commissionRate, changes.historyComplete], [0.03, true])
    const earned = await app.client().validatorApyHistory({ id, period: 'all' })
    assert.deepEqual(
      earned.data.slice(-2).map((item) => [item.epoch, item.commissionRate]),
      [
        [epoch, 0.05],
        [epoch + 1, 0.09],
      ],
    )
    const greedy = await app.client().validatorApyHistory({ id: VALIDATORS.greedy, period: 'all' })
    assert.deepEqual(
      greedy.data.slice(-2).map((item) => [item.commissionRate, item.performed]),
      [
        [1, null],
        [0.09, false],
      ],
    )
  })
}
