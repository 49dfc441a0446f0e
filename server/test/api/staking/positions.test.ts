import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EPOCH, OWNER, STRANGER, sampleNetwork, TOKENS } from '../../fake-full-node/sample-network.ts'
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
  test(`200: ${network}, ${rules}: each token with its state and what may be done with it`, async () => {
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

test('200: a position says what it holds, what it earned, and when it can be had', async () => {
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
  test(`200: ${network}: what a position says may be done next, can be built`, async () => {
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
  await assert.rejects(ofAnother, { code: 'invalid_input', message: /not a `nextCursor` of this list/ })
})

test('200: who holds nothing has no positions', async () => {
  for (const network of ['sandbox', 'ika'] as const) {
    await using app = await openAppOn(network)
    assert.deepEqual((await app.agent.positions({ owner: STRANGER })).positions, [])
  }
})

test('400: an owner that is no address', async () => {
  await using app = await openSandboxApp()
  for (const owner of ['', '0x', ME.slice(2), `${ME}0`, 'ann@example.com']) {
    await refusesField(app.agent.positions({ owner }), 'owner', /must be a chain id/)
  }
})
