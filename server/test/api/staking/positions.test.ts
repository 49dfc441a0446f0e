import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REAL_LIMITS } from '../../fake-full-node/fake-full-node.ts'
import {
  EPOCH,
  NOW,
  OWNER,
  STRANGER,
  sampleNetwork,
  TOKENS,
  VALIDATORS,
} from '../../fake-full-node/sample-network.ts'
import { idOf } from '../../fake-full-node/world.ts'
import { WORLDS } from '../../sui/opened-chain.ts'
import { openAppOn, openChainApp, openSandboxApp } from '../../support/chain-app.ts'
import { holdingsOn, ME, TEN } from '../../support/holdings.ts'
import { refusesField } from '../refused.ts'

type Row = readonly [state: string, next: string]

const EXPECTED: Record<string, Record<keyof typeof TOKENS, Row>> = {
  'two steps': {
    earning: ['active', 'unstake'],
    withdrawing: ['withdrawable', 'withdraw'],
    preActive: ['pending', 'withdraw'],
    ofLeft: ['active', 'withdraw'],
  },
  'two steps, next committee selected': {
    earning: ['active', 'unstake'],
    withdrawing: ['withdrawable', 'withdraw'],
    preActive: ['pending', 'unstake'],
    ofLeft: ['active', 'withdraw'],
  },
  'one step': {
    earning: ['active', 'withdraw'],
    withdrawing: ['active', 'withdraw'],
    preActive: ['pending', 'withdraw'],
    ofLeft: ['active', 'withdraw'],
  },
}

const CASES = [
  ['ika', false, 'two steps'],
  ['ika', true, 'two steps, next committee selected'],
  ['walrus', false, 'two steps'],
  ['walrus', true, 'two steps, next committee selected'],
  ['sui', false, 'one step'],
] as const

for (const [network, nextCommitteeSelected, rules] of CASES) {
  test(`200: ${network}, ${rules}: each token with its state and its next action`, async () => {
    await using app = await openChainApp(network, [WORLDS[network](sampleNetwork({ nextCommitteeSelected }))])
    const { positions, epoch, dataAgeSeconds } = await app.agent.positions({ owner: OWNER })
    assert.deepEqual([epoch, dataAgeSeconds], [EPOCH, 0])
    const rows = Object.entries(TOKENS).map(([name, id]) => {
      const found = positions.find(({ stakedTokenId }) => stakedTokenId === id)
      return [name, [found?.state, found?.next]]
    })
    assert.deepEqual(Object.fromEntries(rows), EXPECTED[rules])
  })
}

test('200: a position has its principal, its rewards, and the time from which it can be withdrawn', async () => {
  await using app = await openChainApp('ika')
  const { positions } = await app.agent.positions({ owner: OWNER })
  const byId = new Map(positions.map((position) => [position.stakedTokenId, position]))
  const earning = byId.get(TOKENS.earning)
  // 100 tokens at the rate of epoch 20 (1100 for 1000) are worth 1300 for 1000 in epoch 40.
  assert.equal(earning?.principal, '100000000000')
  assert.equal(
    earning?.rewards,
    String((((100_000_000_000n * 1_000n) / 1_100n) * 1_300n) / 1_000n - 100_000_000_000n),
  )
  assert.deepEqual([earning?.withdrawEpoch, earning?.availableAt], [null, null])
  const due = byId.get(TOKENS.withdrawing)
  assert.deepEqual([due?.withdrawEpoch, due?.availableAt], [EPOCH - 1, '2026-08-31T00:00:00.000Z'])
})

for (const network of ['sandbox', 'ika', 'walrus', 'sui'] as const) {
  test(`200: ${network}: the next action of a position can be built`, async () => {
    await using app = await openAppOn(network)
    const { sender } = await holdingsOn(network, app.agent)
    const { positions } = await app.agent.positions({ owner: sender })
    assert.ok(positions.length >= 3)
    for (const { stakedTokenId, next } of positions) {
      assert.notEqual(next, 'wait')
      const built = await app.agent.buildUnstake({ stakedTokenId, sender }).catch(() => undefined)
      const withdrawn = await app.agent.buildWithdraw({ stakedTokenId, sender }).catch(() => undefined)
      assert.equal(withdrawn !== undefined, next === 'withdraw')
      if (next === 'unstake') assert.equal(built?.action, 'unstake')
    }
  })
}

test('200: positions come in pages of fifty, and every token is on one of them', async () => {
  await using app = await openSandboxApp()
  const { data } = await app.agent.validators()
  const validatorId = data.find(({ status }) => status === 'active')?.id ?? ''
  const items = Array.from({ length: 20 }, () => ({ action: 'stake', validatorId, amount: TEN }) as const)
  for (let count = 0; count < 3; count += 1) {
    const { commands } = await app.agent.buildBatch({ items, sender: STRANGER })
    await app.agent.sandboxExecute({ sender: STRANGER, commands })
  }
  const first = await app.agent.positions({ owner: STRANGER })
  assert.equal(first.positions.length, 50)
  assert.equal(first.total, 60)
  const second = await app.agent.positions({ owner: STRANGER, cursor: first.nextCursor ?? '' })
  assert.equal(second.nextCursor, null)
  const ids = [...first.positions, ...second.positions].map(({ stakedTokenId }) => stakedTokenId)
  assert.equal(new Set(ids).size, 60)
  assert.deepEqual(ids, ids.toSorted())
  const upperCase = `0x${STRANGER.slice(2).toUpperCase()}`
  const same = await app.agent.positions({ owner: upperCase, cursor: first.nextCursor ?? '' })
  assert.deepEqual(same.positions, second.positions)
  const ofAnother = app.agent.positions({ owner: validatorId, cursor: first.nextCursor ?? '' })
  await assert.rejects(ofAnother, {
    code: 'invalid_input',
    message: /belongs to another list or other filters/,
  })
})

test('200: an address without stake has no positions', async () => {
  for (const network of ['sandbox', 'ika'] as const) {
    await using app = await openAppOn(network)
    assert.deepEqual((await app.agent.positions({ owner: STRANGER })).positions, [])
  }
})

test('400: an owner that is not an address', async () => {
  await using app = await openSandboxApp()
  for (const owner of ['', '0x', ME.slice(2), `${ME}0`, 'ann@example.com']) {
    await refusesField(app.agent.positions({ owner }), 'owner', /must be a chain id/)
  }
})

test('400: an address with more than 5,000 tokens is refused, and its refusals do not use up the node’s calls', async () => {
  const sample = sampleNetwork()
  const [token] = sample.tokens
  assert(token)
  const crowd = idOf(0xc0de)
  const many = Array.from({ length: 5_001 }, (_, at) => ({
    ...token,
    id: idOf(0x100_000 + at),
    owner: crowd,
  }))
  await using app = await openChainApp('ika', [
    WORLDS.ika({ ...sample, tokens: [...sample.tokens, ...many] }),
  ])
  const [node] = app.nodes
  assert(node)
  node.limits = REAL_LIMITS
  const callsOfRefusal = async () => {
    const before = node.calls.length
    await refusesField(app.agent.positions({ owner: crowd }), 'owner', /more than 5000 staked tokens/)
    return node.calls.length - before
  }
  assert((await callsOfRefusal()) > 0)
  for (let more = 0; more < 4; more += 1) {
    assert.equal(await callsOfRefusal(), 0, 'the refusal is asked of the node again')
    assert.equal((await app.agent.positions({ owner: OWNER })).positions.length, 4)
  }
  app.clock.set(NOW + 60_000)
  assert((await callsOfRefusal()) > 0, 'the refusal is never asked again')
})

test('200: stakes at 40 validators that lost their seats long ago are read within the calls that a public node allows', async () => {
  const sample = sampleNetwork()
  const dropped = sample.validators.find(({ id }) => id === VALIDATORS.dropped)
  const [token] = sample.tokens
  assert(dropped && token)
  const crowd = Array.from({ length: 40 }, (_, at) => ({ ...dropped, id: idOf(0x9000 + at) }))
  const owner = idOf(0xc0de)
  const tokens = crowd.map(({ id: validatorId }, at) => ({
    ...token,
    id: idOf(0xa000 + at),
    owner,
    validatorId,
    activationEpoch: 12,
  }))
  for (const network of ['ika', 'walrus'] as const) {
    const world = WORLDS[network]({ ...sample, validators: [...sample.validators, ...crowd], tokens })
    await using app = await openChainApp(network, [world], { SUI_RPC_CALLS: '100' })
    const [node] = app.nodes
    assert(node)
    node.limits = REAL_LIMITS
    const before: number = node.calls.length
    const { positions } = await app.agent.positions({ owner, limit: 50 })
    assert.equal(positions.length, 40)
    assert(positions.every(({ rewards }) => rewards !== '0' && rewards === positions[0]?.rewards))
    assert(node.calls.length - before <= 8, `${node.calls.length - before} calls`)
  }
})

test('200: sui: stakes at 30 validators that have left are read within the calls that a public node allows', async () => {
  const sample = sampleNetwork()
  const left = sample.validators.find(({ phase }) => phase === 'withdrawing')
  const token = sample.tokens.find(({ id }) => id === TOKENS.ofLeft)
  assert(left && token)
  const gone = Array.from({ length: 30 }, (_, at) => ({ ...left, id: idOf(0x9000 + at) }))
  const owner = idOf(0xc0de)
  const tokens = gone.map(({ id: validatorId }, at) => ({
    ...token,
    id: idOf(0xa000 + at),
    owner,
    validatorId,
  }))
  const world = WORLDS.sui({
    ...sample,
    validators: [...sample.validators, ...gone],
    tokens: [...sample.tokens, ...tokens],
  })
  await using app = await openChainApp('sui', [world], { SUI_RPC_CALLS: '100' })
  const [node] = app.nodes
  assert(node)
  node.limits = REAL_LIMITS
  const before: number = node.calls.length
  const { positions } = await app.agent.positions({ owner, limit: 50 })
  const [one] = (await app.agent.positions({ owner: OWNER })).positions.filter(
    ({ stakedTokenId }) => stakedTokenId === TOKENS.ofLeft,
  )
  assert.equal(positions.length, 30)
  assert(one && positions.every(({ rewards }) => rewards === one.rewards))
  assert(node.calls.length - before <= 20, `${node.calls.length - before} calls`)
})
