import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { ENDPOINT_LIMITS } from '#adapters/sui/connection/endpoint.ts'
import type { SuiNetworkName } from '#adapters/sui/networks/networks.ts'
import { currentNetwork } from '#domain/network/current-network.ts'
import { refreshNetwork } from '#domain/network/refresh/refresh-network.ts'
import type { ChainSnapshot, EpochRecord } from '#ports/chain/staking-chain.ts'
import { NETWORK_RULES } from '../../src/networks.ts'
import { type FakeFullNode, REAL_LIMITS } from '../fake-full-node/fake-full-node.ts'
import { largeNetwork, MAINNET_SIZE } from '../fake-full-node/large-network.ts'
import { EPOCH, NOW, OWNER } from '../fake-full-node/sample-network.ts'
import type { World } from '../fake-full-node/world.ts'
import { openTestChain, sampleWorld, soon, type TestChain, WORLDS } from './opened-chain.ts'

const tooMany = (headers: Readonly<Record<string, string>> = {}) =>
  ({ kind: 'http-status', status: 429, headers }) as const

/** Resolves `isAsked`, and holds the answer until `until` resolves. */
const heldUntil = (until: Promise<void>, isAsked: PromiseWithResolvers<void>) => {
  isAsked.resolve()
  return { kind: 'held', until } as const
}

const unavailableFor = (retryAfterSeconds: number) => ({
  name: 'Fault',
  code: 'rpc_unavailable',
  retryAfterSeconds,
})

describe('a node that refuses a call for load is not called', () => {
  const PAUSES: Record<string, { headers: Readonly<Record<string, string>>; seconds: number }> = {
    'for the seconds of its Retry-After': { headers: { 'retry-after': '27' }, seconds: 27 },
    'until the time of its Retry-After': {
      headers: { 'retry-after': new Date(NOW + 40_000).toUTCString() },
      seconds: 40,
    },
    'for five seconds without a Retry-After': { headers: {}, seconds: 5 },
    'for five seconds with an invalid Retry-After': { headers: { 'retry-after': 'soon' }, seconds: 5 },
    'for five minutes at most': { headers: { 'retry-after': '86400' }, seconds: 300 },
    'for five minutes at most, however long the number': {
      headers: { 'retry-after': '9'.repeat(400) },
      seconds: 300,
    },
    'for a fraction of a second': { headers: { 'retry-after': '6.5' }, seconds: 6.5 },
    'for five seconds with a Retry-After of zero': { headers: { 'retry-after': '0' }, seconds: 5 },
    'for five seconds with a negative Retry-After': { headers: { 'retry-after': '-5' }, seconds: 5 },
    'for five seconds with a Retry-After in the past': {
      headers: { 'retry-after': new Date(NOW - 60_000).toUTCString() },
      seconds: 5,
    },
  }
  for (const [name, { headers, seconds }] of Object.entries(PAUSES)) {
    test(name, async () => {
      await using opened = await openTestChain('ika')
      const [node] = opened.nodes
      assert.ok(node)
      node.plan = () => tooMany(headers)
      await assert.rejects(opened.chain.readSnapshot(soon()), unavailableFor(Math.ceil(seconds)))
      node.plan = () => undefined
      opened.now = NOW + seconds * 1_000 - 1
      await assert.rejects(opened.chain.readSnapshot(soon()), unavailableFor(5))
      assert.equal(node.calls.length, 1)
      opened.now = NOW + seconds * 1_000
      assert.equal((await opened.chain.readSnapshot(soon())).epoch.number, EPOCH)
    })
  }

  test('for its Retry-After header, when the refusal is a gRPC status in the trailer', async () => {
    await using opened = await openTestChain('ika')
    const [node] = opened.nodes
    assert.ok(node)
    for (const method of ['GetServiceInfo', 'BatchGetObjects']) {
      node.plan = (call) =>
        call.method === method
          ? { kind: 'grpc-status', status: 8, headers: { 'retry-after': '60' } }
          : undefined
      await assert.rejects(opened.chain.readSnapshot(soon()), unavailableFor(60))
      opened.now += 60_000
    }
  })

  for (const end of ['is answered', 'fails']) {
    test(`also when an earlier call ${end} meanwhile`, async () => {
      await using opened = await openTestChain('ika')
      const [node] = opened.nodes
      assert.ok(node)
      const [held, isAsked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      node.plan = ({ method }) =>
        method === 'ListOwnedObjects' ? heldUntil(held.promise, isAsked) : undefined
      const older = opened.chain.stakedTokensOf(OWNER, soon()).catch(() => undefined)
      await isAsked.promise
      node.plan = () => tooMany({ 'retry-after': '60' })
      await assert.rejects(opened.chain.readSnapshot(soon()), unavailableFor(60))
      node.plan = () => (end === 'fails' ? { kind: 'http-status', status: 500 } : undefined)
      held.resolve()
      await older
      node.plan = () => undefined
      const before = node.calls.length
      opened.now = NOW + 59_999
      await assert.rejects(opened.chain.readSnapshot(soon()), { code: 'rpc_unavailable' })
      assert.equal(node.calls.length, before)
      opened.now = NOW + 60_000
      assert.equal((await opened.chain.readSnapshot(soon())).epoch.number, EPOCH)
    })
  }

  test('and another node is called meanwhile', async () => {
    await using opened = await openTestChain('ika', [sampleWorld('ika'), sampleWorld('ika')])
    const [first] = opened.nodes
    assert.ok(first)
    first.plan = () => tooMany({ 'retry-after': '30' })
    for (let read = 0; read < 3; read += 1) await opened.chain.readSnapshot(soon())
    assert.equal(first.calls.length, 1)
  })
})

test('concurrent reads of the stakes of one address share one read', async () => {
  await using opened = await openTestChain('ika')
  const [node] = opened.nodes
  assert.ok(node)
  const alone = await opened.chain.stakedTokensOf(OWNER, soon())
  const calls = node.calls.length
  const answers = await Promise.all(
    Array.from({ length: 45 }, () => opened.chain.stakedTokensOf(OWNER, soon())),
  )
  assert.ok(answers.every((tokens) => isDeepStrictEqual(tokens, alone)))
  assert.ok(node.calls.length <= 2 * calls, `${node.calls.length} calls`)
})

const { committee: COMMITTEE, newest: NEWEST, history: HISTORY } = MAINNET_SIZE
const worlds = new Map<SuiNetworkName, World>()

/** Cached, because building it takes a second. */
function largeWorld(name: SuiNetworkName): World {
  const world = worlds.get(name) ?? WORLDS[name](largeNetwork(MAINNET_SIZE))
  worlds.set(name, world)
  return world
}

const FROM = NEWEST - HISTORY

async function openLarge(): Promise<{ opened: TestChain; node: FakeFullNode }> {
  const opened = await openTestChain('ika', [largeWorld('ika')])
  const [node] = opened.nodes
  assert.ok(node)
  node.limits = REAL_LIMITS
  return { opened, node }
}

/** Allows `calls` more calls, then refuses with a Retry-After of 30 s. */
function allow(node: FakeFullNode, calls: number): void {
  const last = node.calls.length + calls
  node.plan = ({ number }) => (number > last ? tooMany({ 'retry-after': '30' }) : undefined)
}

describe('a network of the size of mainnet', () => {
  for (const name of ['ika', 'walrus', 'sui'] as const) {
    test(`${name}: a first read fits into its total time even if every call takes its whole timeout`, async () => {
      await using opened = await openTestChain(name, [largeWorld(name)])
      const [node] = opened.nodes
      assert.ok(node)
      node.limits = REAL_LIMITS
      await opened.chain.readSnapshot(soon())
      const { callMs, totalMs } = ENDPOINT_LIMITS
      assert.ok(node.calls.length * callMs <= totalMs, `${node.calls.length} calls`)
      assert.ok(totalMs < 30_000)
    })
  }

  for (const [name, together] of [
    ['ika', 2],
    ['walrus', 3],
  ] as const) {
    test(`${name}: independent calls are made concurrently`, async () => {
      await using opened = await openTestChain(name)
      const [node] = opened.nodes
      assert.ok(node)
      node.limits = REAL_LIMITS
      // The sequential calls: the node, the system, its state, the waiting set, the list of pools, the pools.
      const before = 6
      const all = Promise.withResolvers<void>()
      let isReached = false
      node.plan = ({ number }) => {
        isReached ||= number >= before + together
        if (isReached) all.resolve()
        return number <= before || isReached ? undefined : { kind: 'held', until: all.promise }
      }
      await opened.chain.readSnapshot(soon())
      assert.equal(node.calls.length, before + together)
    })
  }

  for (const name of ['ika', 'walrus', 'sui'] as const) {
    const { callsPerRefresh } = NETWORK_RULES[name]
    test(`${name}: a refresh takes at most ${callsPerRefresh} calls`, async () => {
      await using opened = await openTestChain(name, [largeWorld(name)])
      const [node] = opened.nodes
      assert.ok(node)
      node.limits = REAL_LIMITS
      const first = await opened.chain.readSnapshot(soon())
      const before = node.calls.length
      assert.deepEqual(await opened.chain.readSnapshot(soon()), first)
      const calls = node.calls.length - before
      assert.ok(calls <= callsPerRefresh, `${calls} calls`)
    })
  }

  test('a first start takes fewer calls than a public node allows in 30 s', async () => {
    const { opened, node } = await openLarge()
    await using _ = opened
    allow(node, 100)
    await opened.chain.readSnapshot(soon())
    const records = await opened.chain.readEpochs(FROM, soon())
    assert.equal(records.length, COMMITTEE * HISTORY)
    assert.ok(node.calls.length < 60, `${node.calls.length} calls`)
  })

  test('a history that was interrupted by a rate limit is continued, not restarted', async () => {
    const whole = await openLarge()
    await using _whole = whole.opened
    const records = await whole.opened.chain.readEpochs(FROM, soon())
    const { opened, node } = await openLarge()
    await using _ = opened
    allow(node, 20)
    await assert.rejects(opened.chain.readEpochs(FROM, soon()), unavailableFor(30))
    opened.now += 30_000
    allow(node, whole.node.calls.length - 5)
    assert.deepEqual(await opened.chain.readEpochs(FROM, soon()), records)
  })

  test('a provider that allows only 50 objects per call is asked for 50', async () => {
    const { opened, node } = await openLarge()
    await using _ = opened
    node.limits = { ...REAL_LIMITS, batch: 50 }
    assert.equal((await opened.chain.readEpochs(NEWEST - 9, soon())).length, COMMITTEE * 9)
    assert.deepEqual(opened.warnings, [])
  })

  test('the snapshot is served and saved before its history is complete, and saved again with it', async () => {
    const { opened, node } = await openLarge()
    await using _ = opened
    const clock = { now: () => opened.now }
    const network = currentNetwork({ clock, nodes: opened.chain.nodes })
    const saved: { snapshot: ChainSnapshot; records: readonly EpochRecord[] }[] = []
    const snapshots = {
      latest: async () => undefined,
      history: async () => [],
      commissions: async () => new Map(),
      save: async (snapshot: ChainSnapshot, records: readonly EpochRecord[]) => {
        saved.push({ snapshot, records })
      },
      noteSeen: async () => undefined,
      lastSeen: async () => undefined,
    }
    const digest = (text: string) => createHash('sha256').update(text).digest('hex')
    const refresh = refreshNetwork({ chain: opened.chain, snapshots, network, clock, digest })
    allow(node, 20)
    const first = await refresh(soon())
    assert.deepEqual([first.kind, first.kind === 'accepted' && first.historyComplete], ['accepted', false])
    assert.equal(network.read().snapshot.validators.length, COMMITTEE)
    assert.equal(network.read().history.newestEpoch, undefined)
    assert.deepEqual(
      saved.map(({ records }) => records.length),
      [0],
    )
    // On a busy machine the history takes more than one refresh.
    let isComplete = false
    while (!isComplete) {
      opened.now += 30_000
      allow(node, 100)
      const next = await refresh(soon())
      assert.equal(next.kind, 'accepted')
      isComplete = next.kind === 'accepted' && next.historyComplete
    }
    assert.equal(network.read().history.newestEpoch, NEWEST - 1)
    const [whole, ...before] = saved.map(({ records }) => records.length).reverse()
    assert.equal(whole, COMMITTEE * HISTORY)
    assert.deepEqual(
      before.filter((length) => length > 0),
      [],
    )
  })
})
