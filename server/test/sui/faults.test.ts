import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ikaSystemInner, stakedIka } from '#adapters/sui/layouts/ika-layouts.ts'
import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { FaultPlan, WireFault } from '../fake-full-node/grpc-web-server.ts'
import { EPOCH, NOW, OWNER, sampleNetwork, TOKENS, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { openTestChain, sampleWorld, soon, WORLDS } from './opened-chain.ts'

const SMALL = { maxAnswerBytes: 512 * 1024 }
/** Silence is the only fault that ends with a timeout, so its timeout is short. */
const limitsFor = ({ kind }: WireFault) => (kind === 'silent' ? { ...SMALL, callMs: 2_000 } : SMALL)
const unavailable = { name: 'Fault', code: 'rpc_unavailable' }
const always =
  (fault: WireFault): FaultPlan =>
  () =>
    fault
const ika = (changes?: Parameters<typeof sampleNetwork>[0]) =>
  changes ? WORLDS.ika(sampleNetwork(changes)) : sampleWorld('ika')
const later = { checkpoint: 6_000, checkpointAt: NOW - 200 }

const WIRE_FAULTS: Record<string, WireFault> = {
  'no answer at all': { kind: 'silent' },
  'a reset connection': { kind: 'reset' },
  'a connection reset in the middle of an answer': { kind: 'reset-midway' },
  'an answer without end': { kind: 'endless' },
  'an answer that announces a terabyte': { kind: 'announced-huge' },
  'a small answer that unpacks into a large one': { kind: 'gzip-bomb' },
  'a redirect': { kind: 'redirect', to: 'http://169.254.169.254/latest/meta-data' },
  'HTTP 500': { kind: 'http-status', status: 500 },
  'HTTP 204': { kind: 'http-status', status: 204 },
  'HTTP 429': { kind: 'http-status', status: 429 },
  'gRPC UNAVAILABLE': { kind: 'grpc-status', status: 14 },
  'half an answer': { kind: 'bytes', change: (body) => body.subarray(0, body.length / 2) },
  'an answer without its trailer': {
    kind: 'bytes',
    change: (body) => body.subarray(0, 5 + body.readUInt32BE(1)),
  },
  'an empty answer': { kind: 'bytes', change: () => Buffer.alloc(0) },
  'a page of HTML': { kind: 'bytes', change: () => Buffer.from('<html>Bad gateway</html>') },
  'a frame of negative length': { kind: 'bytes', change: () => Buffer.from('0080000000', 'hex') },
}

describe('one endpoint', () => {
  for (const [name, fault] of Object.entries(WIRE_FAULTS)) {
    test(`${name}: the read fails, and succeeds again once the endpoint recovers`, async () => {
      await using opened = await openTestChain('ika', [ika()], { ...limitsFor(fault), retries: 0 })
      const [node] = opened.nodes
      if (node) node.plan = always(fault)
      await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
      if (node) node.plan = () => undefined
      opened.now += 5_000
      assert.equal((await opened.chain.readSnapshot(soon())).epoch.number, EPOCH)
    })
  }

  test('an endless answer is cut off after less than 30 MB', async () => {
    await using opened = await openTestChain('ika', [ika()], { ...SMALL, retries: 0 })
    const [node] = opened.nodes
    if (node) node.plan = always({ kind: 'endless' })
    await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
    assert.ok((node?.written() ?? 0) < 30 * 1024 * 1024, `${node?.written()} bytes were taken`)
    assert.match(opened.warnings.at(-1)?.reason ?? '', /larger than/)
  })

  test('a redirect is not followed', async () => {
    await using opened = await openTestChain('ika', [ika(), ika()], { retries: 0 })
    const [node, target] = opened.nodes
    if (node && target)
      node.plan = always({ kind: 'redirect', to: `${target.url}/sui.rpc.v2.LedgerService/GetServiceInfo` })
    await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
    assert.deepEqual(target?.calls, [])
  })

  test('another chain is refused, with a reason that names it', async () => {
    await using opened = await openTestChain('ika', [
      { ...ika(), chainId: '69WiPg3DAQiwdxfncX6wYQ2siKwAe6L9BZthQea3JNMD' },
    ])
    await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
    assert.match(opened.warnings[0]?.reason ?? '', /69WiPg3D/)
  })

  test('a snapshot of a frozen checkpoint has the time of that checkpoint', async () => {
    await using opened = await openTestChain('ika')
    opened.now = NOW + 600_000
    assert.equal((await opened.chain.readSnapshot(soon())).checkpointAt, NOW - 400)
  })

  test('an older checkpoint is never returned after a newer one', async () => {
    await using opened = await openTestChain('ika', [ika(later)])
    await opened.chain.readSnapshot(soon())
    for (const node of opened.nodes) node.world = ika()
    await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
  })

  test('an older epoch at a newer checkpoint is refused', async () => {
    await using opened = await openTestChain('ika')
    await opened.chain.readSnapshot(soon())
    for (const node of opened.nodes) node.world = ika({ ...later, epoch: EPOCH - 1 })
    await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
    assert.match(opened.warnings.at(-1)?.reason ?? '', /older|ahead/)
  })

  test('a checkpoint of tomorrow is refused', async () => {
    await using opened = await openTestChain('ika', [ika({ checkpointAt: NOW + 86_400_000 })])
    await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
  })

  test('a snapshot is as old as the oldest of its answers', async () => {
    await using opened = await openTestChain('ika')
    const [node] = opened.nodes
    if (node) {
      node.plan = ({ method }) =>
        method === 'ListDynamicFields'
          ? {
              kind: 'headers',
              headers: { 'x-sui-checkpoint-height': '4990', 'x-sui-timestamp-ms': String(NOW - 3_000) },
            }
          : undefined
    }
    const { checkpoint, checkpointAt } = await opened.chain.readSnapshot(soon())
    assert.deepEqual({ checkpoint, checkpointAt }, { checkpoint: 4_990, checkpointAt: NOW - 3_000 })
  })

  test('answers of two chains behind one address are refused', async () => {
    await using opened = await openTestChain('ika')
    const [node] = opened.nodes
    if (node) {
      node.plan = ({ method }) =>
        method === 'ListDynamicFields'
          ? { kind: 'headers', headers: { 'x-sui-chain-id': 'another' } }
          : undefined
    }
    await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
  })

  test('a read during which the epoch changes is refused', async () => {
    await using opened = await openTestChain('ika', [ika()], { retries: 0 })
    const [node] = opened.nodes
    if (node) {
      node.plan = ({ method }) => {
        if (method === 'ListDynamicFields') node.world = ika({ ...later, epoch: EPOCH + 1 })
        return undefined
      }
    }
    await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
    assert.match(opened.warnings[0]?.reason ?? '', /epoch/)
  })

  for (const network of ['ika', 'walrus', 'sui'] as const)
    test(`${network}: an epoch that no chain can have reached is refused before its history is listed`, async () => {
      const world = WORLDS[network](sampleNetwork({ epoch: 200_000 }))
      await using opened = await openTestChain(network, [world], { retries: 0 })
      await assert.rejects(opened.chain.stakedTokensOf(OWNER, soon()), unavailable)
      await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
      for (const { reason } of opened.warnings) assert.match(reason, /the epoch is impossible: 200000/)
    })

  test('a history with an impossible number of epochs is not read', async () => {
    await using opened = await openTestChain('ika', [ika({ epoch: 90_000 })], { retries: 0 })
    await assert.rejects(opened.chain.readEpochs(EPOCH, soon()), unavailable)
    assert.match(opened.warnings[0]?.reason ?? '', /epoch 90000 is too far from 40/)
  })

  test('objects with missing or additional bytes are refused', async () => {
    for (const change of [
      (bytes: Uint8Array) => bytes.subarray(0, -1),
      (bytes: Uint8Array) => Buffer.concat([bytes, bytes]),
    ]) {
      const world = ika()
      const broken = new Map(world.objects)
      const steady = broken.get(VALIDATORS.steady)
      assert.ok(steady)
      broken.set(VALIDATORS.steady, { ...steady, contents: change(steady.contents) })
      await using opened = await openTestChain('ika', [{ ...world, objects: broken }], { retries: 0 })
      await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
      assert.match(opened.warnings[0]?.reason ?? '', /validator is not laid out as expected/)
    }
  })

  test('a list with a staked token twice is refused', async () => {
    const world = ika()
    const token = world.objects.get(TOKENS.earning)
    assert.ok(token)
    const objects = new Map([...world.objects, ['again', token]])
    await using opened = await openTestChain('ika', [{ ...world, objects }], { retries: 0 })
    await assert.rejects(opened.chain.stakedTokensOf(OWNER, soon()), unavailable)
    assert.match(opened.warnings[0]?.reason ?? '', /an owned object is listed twice/)
  })

  test('a staked token with an epoch that no chain can have reached is refused', async () => {
    const world = ika()
    const token = world.objects.get(TOKENS.earning)
    assert.ok(token)
    const honest = stakedIka.parse(token.contents)
    for (const lie of [
      { activation_epoch: 4_000_000_000 },
      { state: { Withdrawing: { withdraw_epoch: 4_000_000_000 } } },
    ]) {
      const contents = stakedIka.serialize({ ...honest, ...lie }).toBytes()
      const objects = new Map([...world.objects, [TOKENS.earning, { ...token, contents }]])
      await using opened = await openTestChain('ika', [{ ...world, objects }], { retries: 0 })
      await assert.rejects(opened.chain.stakedTokensOf(OWNER, soon()), unavailable)
      assert.match(opened.warnings[0]?.reason ?? '', /the epoch is impossible: 4000000000/)
    }
  })

  test('a list with fewer validators than the system has is refused', async () => {
    const world = ika()
    const objects = new Map([...world.objects].filter(([id]) => id !== VALIDATORS.candidate))
    await using opened = await openTestChain('ika', [{ ...world, objects }], { retries: 0 })
    await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
    assert.match(opened.warnings[0]?.reason ?? '', /7 validators expected, 6 listed/)
  })

  test('a table that claims billions of validators is not listed', async () => {
    const world = ika()
    const objects = new Map([...world.objects].map(([id, object]) => [id, withPools(object, 5_000_000_000)]))
    await using opened = await openTestChain('ika', [{ ...world, objects }], { retries: 0 })
    await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
    assert.match(opened.warnings[0]?.reason ?? '', /a table says that it has 5000000000 entries/)
    assert.ok(!opened.nodes[0]?.calls.includes('ListDynamicFields'))
  })

  test('control characters and line breaks in the name of a chain are removed', async () => {
    const chainName = 'main\u001b[31m\nnet'
    await using opened = await openTestChain('ika', [{ ...ika(), chainName }])
    assert.equal((await opened.chain.readSnapshot(soon())).chainName, 'main [31m net')
  })

  test('an endpoint that always fails is not called any more, then probed by one call', async () => {
    await using opened = await openTestChain('ika', [ika()], { openMs: 5_000 })
    const [node] = opened.nodes
    if (node) node.plan = always({ kind: 'reset' })
    for (let read = 0; read < 5; read += 1)
      await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
    assert.equal(node?.calls.length, 3)
    opened.now += 5_000
    await Promise.allSettled(Array.from({ length: 5 }, () => opened.chain.readSnapshot(soon())))
    assert.equal(node?.calls.length, 4)
  })
})

describe('two endpoints', () => {
  for (const [name, fault] of Object.entries(WIRE_FAULTS)) {
    test(`${name} from one: the other answers`, async () => {
      await using opened = await openTestChain('ika', [ika(), ika()], limitsFor(fault))
      const [first] = opened.nodes
      if (first) first.plan = always(fault)
      assert.equal((await opened.chain.readSnapshot(soon())).epoch.number, EPOCH)
      assert.equal((await opened.chain.stakedTokensOf(OWNER, soon())).length, 4)
    })
  }

  test('an endpoint that is down is called only once; later reads go to the other', async () => {
    await using opened = await openTestChain('ika', [ika(), ika()])
    const [first] = opened.nodes
    if (first) first.plan = always({ kind: 'reset' })
    for (let read = 0; read < 5; read += 1) await opened.chain.readSnapshot(soon())
    assert.equal(first?.calls.length, 1)
  })

  for (const name of ['ika', 'walrus'] as const) {
    test(`nothing from a refused read of one host gets into the snapshot of another (${name})`, async () => {
      const network = sampleNetwork()
      const validators = network.validators.map((validator) => ({
        ...validator,
        name: `Another ${validator.name}`,
        rates: validator.rates.map((rate) => ({
          ...rate,
          tokens: rate.epoch === EPOCH ? 2n * rate.tokens : rate.tokens,
        })),
      }))
      await using alone = await openTestChain(name)
      const lies = WORLDS[name]({ ...network, validators })
      await using opened = await openTestChain(name, [lies, sampleWorld(name)])
      const [first] = opened.nodes
      assert(first)
      first.plan = ({ method }) => {
        const packageId = VALIDATORS.steady
        if (method === 'ListDynamicFields') first.world = WORLDS[name]({ ...network, validators, packageId })
        return undefined
      }
      const shared = await opened.chain.readSnapshot(soon())
      assert.match(opened.warnings[0]?.reason ?? '', /changed during the read/)
      assert.deepEqual(shared, await alone.chain.readSnapshot(soon()))
    })
  }

  test('a frozen endpoint is skipped if the other is fresh', async () => {
    await using opened = await openTestChain('ika', [ika({ checkpointAt: NOW - 120_000 }), ika(later)])
    assert.equal((await opened.chain.readSnapshot(soon())).checkpoint, later.checkpoint)
    assert.deepEqual(opened.nodes[0]?.calls, ['GetServiceInfo'])
  })

  test('when all are frozen, the freshest is used', async () => {
    const worlds = [ika({ checkpointAt: NOW - 120_000 }), ika({ ...later, checkpointAt: NOW - 60_000 })]
    await using opened = await openTestChain('ika', worlds)
    assert.equal((await opened.chain.readSnapshot(soon())).checkpointAt, NOW - 60_000)
  })

  test('with an old and a new endpoint in turn, checkpoints never go backwards', async () => {
    await using opened = await openTestChain('ika', [ika(), ika(later)], {
      failuresToOpen: 100,
      retryReserve: 100,
    })
    const seen: number[] = []
    for (let turn = 0; turn < 20; turn += 1) {
      const [down, up] = turn % 2 === 0 ? opened.nodes : [...opened.nodes].reverse()
      if (down) down.plan = always({ kind: 'reset' })
      if (up) up.plan = () => undefined
      await opened.chain.readSnapshot(soon()).then(
        ({ checkpoint }) => seen.push(checkpoint),
        (fault) => assert.equal(fault.code, 'rpc_unavailable'),
      )
    }
    assert.ok(seen.length > 5)
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    )
  })

  test('endpoints that drop connections now and then give right answers or none', async () => {
    await using opened = await openTestChain('ika', [ika(), ika()], {
      failuresToOpen: 100,
      retryReserve: 100,
    })
    const right = await opened.chain.readSnapshot(soon())
    opened.nodes.forEach((node, index) => {
      node.plan = ({ number }) => ((number + index) % 17 === 0 ? { kind: 'reset' } : undefined)
    })
    const answers: ChainSnapshot[] = []
    for (let read = 0; read < 20; read += 1) {
      await opened.chain.readSnapshot(soon()).then(
        (snapshot) => answers.push(snapshot),
        (fault) => assert.equal(fault.code, 'rpc_unavailable'),
      )
    }
    assert.ok(answers.length > 0 && opened.warnings.length > 0)
    for (const answer of answers) assert.deepEqual(answer, right)
  })

  test('a history that the second host interrupted is continued there, without asking the first again', async () => {
    await using opened = await openTestChain('ika', [ika(), ika()])
    const [first, second] = opened.nodes
    assert(first && second)
    const whole = await opened.chain.readEpochs(12, soon())
    const [ofFirst, ofSecond] = [first.calls.length, second.calls.length]
    // Descriptions are read once per epoch, so a second read needs one call less.
    second.plan = ({ number }) => (number >= 2 * ofSecond - 1 ? { kind: 'reset' } : undefined)
    await assert.rejects(opened.chain.readEpochs(12, soon()), unavailable)
    second.plan = () => undefined
    opened.now += 5_000
    const asked = first.calls.length
    assert.deepEqual(await opened.chain.readEpochs(12, soon()), whole)
    assert(asked <= 2 * ofFirst && first.calls.length === asked)
  })
})

test('a closed chain refuses reads and can be closed again', async () => {
  const opened = await openTestChain('ika')
  await opened.chain[Symbol.asyncDispose]()
  await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
  await opened[Symbol.asyncDispose]()
})

/** Returns the object with `size` pools if it is the system state, otherwise unchanged. */
function withPools<T extends { readonly contents: Uint8Array }>(object: T, size: number): T {
  try {
    const state = ikaSystemInner.parse(object.contents)
    const set = state.value.validator_set
    const validators = { ...set.validators, size }
    const value = { ...state.value, validator_set: { ...set, validators } }
    if (Buffer.compare(ikaSystemInner.serialize(state).toBytes(), object.contents) !== 0) return object
    return { ...object, contents: ikaSystemInner.serialize({ ...state, value }).toBytes() }
  } catch {
    return object
  }
}
