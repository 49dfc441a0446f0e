import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalOf } from '../api/refused.ts'
import { EPOCH, NOW, sampleNetwork, VALIDATORS } from '../fake-full-node/sample-network.ts'
import type { DescribedNetwork, World } from '../fake-full-node/world.ts'
import { idOf } from '../fake-full-node/world.ts'
import { type ChainApp, openChainApp } from '../support/chain-app.ts'
import { WORLDS } from './opened-chain.ts'

/** The contract of Walrus is upgraded while the service runs: its state moves, and the package to call changes. */

const stake = { validatorId: VALIDATORS.steady, amount: '5000000000' }
const NEW_PACKAGE = idOf(0xabcdef)

/** The sample network after `seconds`, with a commission that became due while its node was outside. */
function walrusAt(seconds: number, changes: Partial<DescribedNetwork> = {}): World {
  const network = sampleNetwork({
    checkpoint: 5_000 + seconds * 4,
    checkpointAt: NOW + seconds * 1_000 - 400,
    ...changes,
  })
  const validators = network.validators.map((validator) =>
    validator.id === VALIDATORS.dropped
      ? { ...validator, pendingCommission: [{ key: EPOCH - 3, value: 900n }] }
      : validator,
  )
  return WORLDS.walrus({ ...network, validators })
}

const upgradedAt = (seconds: number, contractVersion = 4) =>
  walrusAt(seconds, { contractVersion, packageId: NEW_PACKAGE })

async function look(app: ChainApp, seconds: number): Promise<void> {
  app.clock.set(NOW + seconds * 1_000)
  await app.runJob('watch-network').catch(() => undefined)
}

/** The packages that a transaction calls, and the next commission of the node outside. */
async function rulesOf({ agent }: ChainApp) {
  const { commands } = await agent.buildStake(stake)
  const called = commands.flatMap((one) => (one.kind === 'moveCall' ? [one.target.split('::')[0]] : []))
  const { nextCommissionRate } = await agent.validator({ id: VALIDATORS.dropped })
  return { called: new Set(called), nextCommissionRate }
}

const BEFORE = { called: new Set([sampleNetwork().packageId]), nextCommissionRate: 0.05 }
const AFTER = { called: new Set([NEW_PACKAGE]), nextCommissionRate: 0.09 }

test('an upgrade from version 3 to 4 is followed, before whichever call of a read it happens', async () => {
  for (let at = 0; at < 6; at += 1) {
    await using app = await openChainApp('walrus', [walrusAt(0)])
    assert.deepEqual(await rulesOf(app), BEFORE)
    const [node] = app.nodes
    assert(node)
    node.world = walrusAt(20)
    const first: number = node.calls.length
    node.plan = ({ number }) => {
      if (number - first >= at) node.world = upgradedAt(20)
      return undefined
    }
    await look(app, 20)
    node.world = upgradedAt(40)
    await look(app, 40)
    assert.deepEqual(await rulesOf(app), AFTER, `before call ${at}`)
    assert.equal((await app.agent.health()).historyComplete, true)
  }
})

test('503: builds are refused while only one of two nodes has the upgrade', async () => {
  await using app = await openChainApp('walrus', [walrusAt(0), walrusAt(0)])
  const [first, second] = app.nodes
  assert(first && second)
  for (const [early, late] of [
    [first, second],
    [second, first],
  ] as const) {
    early.world = upgradedAt(20)
    late.world = walrusAt(20)
    await look(app, 20)
    const { code } = await refusalOf(app.agent.buildStake(stake))
    assert.equal(code, 'rpc_unavailable')
    assert.equal((await app.agent.validators()).data.length, sampleNetwork().validators.length)
  }
  for (const node of app.nodes) node.world = upgradedAt(40)
  await look(app, 40)
  assert.deepEqual(await rulesOf(app), AFTER)
})

test('a later version with the same layout is read by the newest rules; one with another layout is refused', async () => {
  await using app = await openChainApp('walrus', [walrusAt(0)])
  const [node] = app.nodes
  assert(node)
  node.world = upgradedAt(20, 5)
  await look(app, 20)
  assert.deepEqual(await rulesOf(app), AFTER)
  const other = upgradedAt(40, 6)
  const longer = [...other.objects].map(
    ([id, object]) => [id, { ...object, contents: Buffer.concat([object.contents, Buffer.of(0)]) }] as const,
  )
  node.world = { ...other, objects: new Map(longer) }
  await look(app, 40)
  const { epoch, dataAgeSeconds } = await app.agent.epoch()
  assert.deepEqual([epoch, dataAgeSeconds], [EPOCH, 20])
  assert.equal((await refusalOf(app.agent.buildStake(stake))).code, 'rpc_unavailable')
})

test('an impossible contract version without a state stops new reads, and earlier data are served', async () => {
  await using app = await openChainApp('walrus', [walrusAt(0)])
  const [node] = app.nodes
  assert(node)
  for (const [seconds, contractVersion] of [
    [10, 0],
    [20, Number.MAX_SAFE_INTEGER],
  ] as const) {
    const world = upgradedAt(seconds, contractVersion)
    const states = [...world.objects].filter(([, { type }]) => !type.includes('Field<u64,'))
    node.world = { ...world, objects: new Map(states) }
    await look(app, seconds)
    assert.equal((await app.agent.epoch()).dataAgeSeconds, seconds)
  }
  node.world = upgradedAt(90)
  await look(app, 90)
  assert.deepEqual(await rulesOf(app), AFTER)
})
