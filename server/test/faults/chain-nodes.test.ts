import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refusalOf, refusesFor } from '../api/refused.ts'
import type { WireFault } from '../fake-full-node/grpc-web-server.ts'
import { EPOCH, NOW, sampleNetwork, TOKENS, VALIDATORS } from '../fake-full-node/sample-network.ts'
import type { World } from '../fake-full-node/world.ts'
import { sampleWorld, WORLDS } from '../sui/opened-chain.ts'
import { type ChainApp, openChainApp } from '../support/chain-app.ts'

/** Chain nodes that lie, lag, fail and recover: wrong data are never served, and reads stay available. */

const ika = (changes: Parameters<typeof sampleNetwork>[0] = {}) => WORLDS.ika(sampleNetwork(changes))
const stake = { validatorId: VALIDATORS.steady, amount: '5000000000' }

/** The world at `now`, with the checkpoint that a live chain has by then. */
const at = (now: number, changes: Parameters<typeof sampleNetwork>[0] = {}) =>
  ika({ checkpoint: 5_000 + Math.floor((now - NOW) / 250), checkpointAt: now - 400, ...changes })

const serve = (app: ChainApp, world: World) => {
  for (const node of app.nodes) node.world = world
}

const look = (app: ChainApp) => app.runJob('watch-network').catch(() => undefined)

async function checkReads(app: ChainApp, ageSeconds: number): Promise<void> {
  const { epoch, dataAgeSeconds } = await app.agent.epoch()
  assert.deepEqual([epoch, dataAgeSeconds], [EPOCH, ageSeconds])
  const { data } = await app.agent.validators()
  assert.deepEqual(data.map(({ id }) => id).sort(), Object.values(VALIDATORS).sort())
  const scored = await app.agent.scoredValidators()
  assert.deepEqual([scored.epoch, scored.dataAgeSeconds], [EPOCH, ageSeconds])
}

const stale = /data are \d+ min old/

test('503: data of a frozen checkpoint age; builds are refused after 60 s and reads after 15 min', async () => {
  await using app = await openChainApp('ika')
  const since = NOW - 400
  for (const seconds of [10, 59, 60]) {
    app.clock.set(since + seconds * 1_000)
    await look(app)
    await checkReads(app, seconds)
    assert.equal((await app.agent.buildStake(stake)).dataAgeSeconds, seconds)
  }
  for (const seconds of [61, 300, 900]) {
    app.clock.set(since + seconds * 1_000)
    await look(app)
    await checkReads(app, seconds)
    for (const build of [
      app.agent.buildStake(stake),
      app.agent.buildUnstake({ stakedTokenId: TOKENS.earning }),
      app.agent.buildWithdraw({ stakedTokenId: TOKENS.withdrawing }),
    ]) {
      await refusesFor(build, 'rpc_unavailable', stale)
    }
  }
  app.clock.set(since + 900_001)
  await look(app)
  for (const read of [app.agent.validators(), app.agent.epoch(), app.agent.scoredValidators()]) {
    await refusesFor(read, 'rpc_unavailable', stale)
  }
  serve(app, at(app.clock.now()))
  await look(app)
  await checkReads(app, 0)
  assert.equal((await app.agent.buildStake(stake)).dataAgeSeconds, 0)
})

const LIES: Record<string, World> = {
  'an older epoch': at(NOW + 5_000, { epoch: EPOCH - 1 }),
  'an older checkpoint': ika({ checkpoint: 4_000 }),
  'another chain': { ...at(NOW + 5_000), chainId: '69WiPg3DAQiwdxfncX6wYQ2siKwAe6L9BZthQea3JNMD' },
  'a checkpoint of tomorrow': ika({ checkpoint: 6_000, checkpointAt: NOW + 86_400_000 }),
  'an epoch that came too soon': at(NOW + 5_000, { epoch: EPOCH + 9 }),
  'objects with bytes cut off': truncated(at(NOW + 5_000)),
}

function truncated(world: World): World {
  const objects = new Map(
    [...world.objects].map(([id, object]) => [id, { ...object, contents: object.contents.subarray(0, -1) }]),
  )
  return { ...world, objects }
}

function inflated() {
  return sampleNetwork().validators.map((validator) => ({ ...validator, balance: validator.balance * 10n }))
}

const WIRE_FAULTS: Record<string, WireFault> = {
  'a reset connection': { kind: 'reset' },
  'a connection reset in the middle of an answer': { kind: 'reset-midway' },
  'an answer without end': { kind: 'endless' },
  'an answer that announces a terabyte': { kind: 'announced-huge' },
  'a small answer that unpacks into a large one': { kind: 'gzip-bomb' },
  'a redirect': { kind: 'redirect', to: 'http://169.254.169.254/latest/meta-data' },
  'HTTP 500': { kind: 'http-status', status: 500 },
  'half an answer': { kind: 'bytes', change: (body) => body.subarray(0, body.length / 2) },
}

describe('the only node', () => {
  for (const [name, world] of Object.entries(LIES)) {
    test(`${name}: the last good data are served, and builds are refused until the node is right again`, async () => {
      await using app = await openChainApp('ika')
      serve(app, world)
      app.clock.advance(5_000)
      await look(app)
      await checkReads(app, 5)
      const { code } = await refusalOf(app.agent.buildStake(stake))
      assert.equal(code, 'rpc_unavailable')
      app.clock.advance(60_000)
      serve(app, at(app.clock.now()))
      await look(app)
      await checkReads(app, 0)
      assert.equal((await app.agent.buildStake(stake)).epoch, EPOCH)
    })
  }

  for (const [name, fault] of Object.entries(WIRE_FAULTS)) {
    test(`${name}: the last data are served with their true age, and are fresh once the node recovers`, async () => {
      await using app = await openChainApp('ika')
      for (const node of app.nodes) node.plan = () => fault
      app.clock.advance(5_000)
      await look(app)
      await checkReads(app, 5)
      for (const node of app.nodes) node.plan = () => undefined
      app.clock.advance(120_000)
      serve(app, at(app.clock.now()))
      await look(app)
      await checkReads(app, 0)
      assert.equal((await app.agent.buildStake(stake)).epoch, EPOCH)
    })
  }

  const IMPLAUSIBLE = {
    'ten times the stake': { validators: inflated() },
    'a checkpoint of the far future': { checkpoint: 2 ** 50 },
  }
  for (const [name, lie] of Object.entries(IMPLAUSIBLE))
    test(`${name}: the last good data are served, and builds use them while they are younger than 60 s`, async () => {
      await using app = await openChainApp('ika')
      const { data: before } = await app.agent.validators()
      for (const seconds of [5, 59]) {
        app.clock.set(NOW - 400 + seconds * 1_000)
        serve(app, at(app.clock.now(), lie))
        await look(app)
        assert.deepEqual((await app.agent.validators()).data, before)
        assert.equal((await app.agent.buildStake(stake)).dataAgeSeconds, seconds)
      }
      app.clock.advance(2_000)
      await look(app)
      await checkReads(app, 61)
      await refusesFor(app.agent.buildStake(stake), 'rpc_unavailable', stale)
      app.clock.advance(60_000)
      serve(app, at(app.clock.now()))
      await look(app)
      await checkReads(app, 0)
    })

  test('503: positions are refused while the node cannot be reached', async () => {
    await using app = await openChainApp('ika')
    for (const node of app.nodes) node.plan = () => ({ kind: 'reset' })
    const { code, retryAfterSeconds } = await refusalOf(app.agent.positions({ owner: VALIDATORS.steady }))
    assert.equal(code, 'rpc_unavailable')
    assert.ok((retryAfterSeconds ?? 0) > 0)
  })

  test('503: store_not_ready from the start until the node has been read once', async () => {
    const down = { ...sampleWorld('ika'), chainId: 'another' }
    await using app = await openChainApp('ika', [down])
    await refusesFor(app.agent.validators(), 'store_not_ready', /No chain data have been read yet/)
    await refusesFor(app.agent.buildStake(stake), 'store_not_ready', /No chain data/)
    serve(app, sampleWorld('ika'))
    app.clock.advance(60_000)
    serve(app, at(app.clock.now()))
    await look(app)
    await checkReads(app, 0)
  })
})

describe('the epoch changes between the last read and a transaction', () => {
  /** Moves to the end of the epoch, because the next one cannot begin earlier. */
  async function endEpoch(app: ChainApp): Promise<void> {
    serve(app, at(NOW + 1_000, { startedAt: NOW - 86_400_000 }))
    app.clock.advance(1_000)
    await look(app)
  }

  test('the chain is read again, and the transaction is built for the new epoch', async () => {
    await using app = await openChainApp('ika')
    await endEpoch(app)
    serve(app, at(NOW + 5_000, { epoch: EPOCH + 1, startedAt: NOW }))
    app.clock.advance(4_000)
    const built = await app.agent.buildStake(stake)
    assert.deepEqual([built.epoch, built.availableAtEpoch], [EPOCH + 1, EPOCH + 2])
  })

  test('the same for the selection of the next committee', async () => {
    await using app = await openChainApp('walrus')
    const network = sampleNetwork({ nextCommitteeSelected: true, checkpoint: 5_100 })
    serve(app, WORLDS.walrus(network))
    const { commands, action } = await app.agent.buildUnstake({ stakedTokenId: TOKENS.preActive })
    assert.equal(action, 'unstake', JSON.stringify(commands))
  })

  test('503: builds are refused while the cached check of the nodes is older than the data', async () => {
    await using app = await openChainApp('ika')
    await endEpoch(app)
    await app.agent.buildStake(stake)
    // The previous check is valid for a few seconds, but the data are newer.
    serve(app, at(NOW + 2_000, { epoch: EPOCH + 1, startedAt: NOW }))
    app.clock.advance(1_000)
    await look(app)
    await refusesFor(app.agent.buildStake(stake), 'rpc_unavailable', /epoch or the validator set is changing/)
    app.clock.advance(10_000)
    assert.equal((await app.agent.buildStake(stake)).epoch, EPOCH + 1)
  })
})

describe('two nodes', () => {
  test('one is down: reads are fresh from the other, and builds are refused until both answer', async () => {
    await using app = await openChainApp('ika', [sampleWorld('ika'), sampleWorld('ika')])
    const [first] = app.nodes
    if (first) first.plan = () => ({ kind: 'reset' })
    app.clock.advance(4_000)
    serve(app, at(app.clock.now()))
    await look(app)
    await checkReads(app, 0)
    await refusesFor(app.agent.buildStake(stake), 'rpc_unavailable', /Too few chain nodes answer/)
    if (first) first.plan = () => undefined
    app.clock.advance(60_000)
    serve(app, at(app.clock.now()))
    await look(app)
    assert.equal((await app.agent.buildStake(stake)).epoch, EPOCH)
  })

  test('one is frozen: reads follow the other', async () => {
    await using app = await openChainApp('ika', [sampleWorld('ika'), sampleWorld('ika')])
    const [, second] = app.nodes
    app.clock.advance(120_000)
    if (second) second.world = at(app.clock.now())
    await look(app)
    await checkReads(app, 0)
  })

  const disagreements: Record<string, World> = {
    'the package to call': ika({ packageId: VALIDATORS.steady }),
    'a commission': ika({
      validators: sampleNetwork().validators.map((validator) => ({ ...validator, commissionBps: 1 })),
    }),
    'the epoch': ika({ epoch: EPOCH + 1 }),
    'the validator set': ika({ validators: sampleNetwork().validators.slice(0, -1) }),
  }
  for (const [name, world] of Object.entries(disagreements)) {
    test(`they disagree about ${name}: builds are refused, reads stay available`, async () => {
      await using app = await openChainApp('ika', [sampleWorld('ika'), world])
      await refusesFor(
        app.agent.buildStake(stake),
        'rpc_unavailable',
        /do not agree right now, so nothing is/,
      )
      await refusesFor(
        app.agent.buildUnstake({ stakedTokenId: TOKENS.earning }),
        'rpc_unavailable',
        /do not agree/,
      )
      await checkReads(app, 0)
    })
  }

  test('a build does not use earlier data with which the nodes now disagree', async () => {
    const lie = ika({ packageId: VALIDATORS.greedy })
    await using app = await openChainApp('ika', [lie, lie])
    serve(app, sampleWorld('ika'))
    const { commands } = await app.agent.buildStake(stake)
    const target = commands.flatMap((command) => (command.kind === 'moveCall' ? [command.target] : []))
    assert.ok(!target.some((name) => name.startsWith(VALIDATORS.greedy)), String(target))
  })

  test('both drop connections now and then: every answer is right, whichever node it comes from', async () => {
    await using app = await openChainApp('ika', [sampleWorld('ika'), sampleWorld('ika')])
    app.nodes.forEach((node, index) => {
      node.plan = ({ number }) => ((number + index) % 11 === 0 ? { kind: 'reset' } : undefined)
    })
    for (let round = 0; round < 8; round += 1) {
      app.clock.advance(5_000)
      serve(app, at(app.clock.now()))
      await look(app)
      const { epoch, dataAgeSeconds } = await app.agent.epoch()
      assert.equal(epoch, EPOCH)
      assert.ok(dataAgeSeconds <= 40)
      const built = await app.agent.buildStake(stake).catch((refusal) => {
        assert.equal(refusal.code, 'rpc_unavailable')
      })
      if (built) assert.equal(built.availableAtEpoch, EPOCH + 1)
    }
  })
})
