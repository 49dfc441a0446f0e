import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Transaction } from '@mysten/sui/transactions'
import { LIMITS } from '@stakewright/contract'
import { VALIDATORS } from '../../fake-full-node/sample-network.ts'
import { openAppOn, openChainApp, openSandboxApp } from '../../support/chain-app.ts'
import { holdingsOn, ME, TEN } from '../../support/holdings.ts'
import { builtOffline, callsIn, expectedCall, jsonOf } from '../../support/sdk-transactions.ts'

for (const network of ['sandbox', 'ika', 'walrus', 'sui'] as const) {
  test(`200: several actions in one transaction that the SDK accepts (${network})`, async () => {
    await using app = await openAppOn(network)
    const { agent } = app
    const { validatorId, earning } = await holdingsOn(network, agent)
    const { sender, stakedTokenId } = earning
    const stake = { action: 'stake', validatorId, amount: TEN } as const
    const items = [stake, { action: 'unstake', stakedTokenId } as const, stake]
    const batch = await agent.buildBatch({ items, sender })
    assert.equal(batch.items.length, 3)
    assert.equal(batch.staked, '20000000000')

    const [one, two] = await Promise.all([
      agent.buildStake({ validatorId, amount: TEN, sender }),
      agent.buildUnstake({ stakedTokenId, sender }),
    ])
    const withoutNames = (commands: unknown) => JSON.stringify(commands).replaceAll(/-\d"/g, '"')
    const expected = [...one.commands, ...two.commands, ...one.commands]
    assert.equal(withoutNames(batch.commands), JSON.stringify(expected))
    assert.deepEqual(
      batch.items.map(({ summary, availableAtEpoch }) => [summary, availableAtEpoch]),
      [one, two, one].map(({ summary, availableAtEpoch }) => [summary, availableAtEpoch]),
    )

    const json = JSON.parse(JSON.stringify(batch.transaction))
    assert.deepEqual(await jsonOf(Transaction.from(JSON.stringify(json))), json)
    const built = await builtOffline(batch.commands, sender)
    assert.deepEqual(callsIn(built), batch.commands.flatMap(expectedCall))
  })
}

test('200: a whole allocation is staked by one transaction, to the unit', async () => {
  await using app = await openSandboxApp()
  const { agent } = app
  const { max } = LIMITS.allocationValidators
  const { allocations } = await agent.allocate({
    amount: '90000000000000001',
    maxValidators: max,
    maxShare: 0.045,
  })
  assert(allocations.length > 20, `${allocations.length} validators`)
  assert(max <= LIMITS.batchItems, 'no allocation has to be taken apart')
  const items = allocations.map(
    ({ validatorId, amount }) => ({ action: 'stake', validatorId, amount }) as const,
  )
  const { commands, staked } = await agent.buildBatch({ items, sender: ME })
  assert.equal(staked, '90000000000000001')
  const done = await agent.sandboxExecute({ sender: ME, commands })
  assert.equal(done.status, 'done')
  assert.deepEqual(
    new Map(done.created.map(({ validatorId, principal }) => [validatorId, principal])),
    new Map(allocations.map(({ validatorId, amount }) => [validatorId, amount])),
  )
})

test('200: a batch with the largest number of items of the longest kind is executed', async () => {
  await using app = await openSandboxApp()
  const { agent } = app
  const { data } = await agent.validators({ status: 'active', sort: 'totalStake' })
  const stakes = Array.from({ length: LIMITS.batchItems }, (_, at) => {
    const validatorId = data[at % data.length]?.id ?? assert.fail()
    return { action: 'stake', validatorId, amount: '50000000000' } as const
  })
  const first = await agent.buildBatch({ items: stakes, sender: ME })
  const { created } = await agent.sandboxExecute({ sender: ME, commands: first.commands })
  await agent.sandboxAdvance({ epochs: 3 })
  const items = created.map(
    ({ stakedTokenId }) => ({ action: 'unstake', stakedTokenId, amount: TEN }) as const,
  )
  const { commands } = await agent.buildBatch({ items, sender: ME })
  assert.equal(commands.length, 3 * LIMITS.batchItems)
  const done = await agent.sandboxExecute({ sender: ME, commands })
  assert.equal(done.status, 'done')
  assert.equal(done.created.length, LIMITS.batchItems)
})

test('400: an invalid item is named, and nothing is built', async () => {
  await using app = await openChainApp('ika')
  const { agent } = app
  const { earning, validatorId } = await holdingsOn('ika', agent)
  const { stakedTokenId } = earning
  const stake = { action: 'stake', validatorId, amount: TEN } as const
  const refused = [
    [[stake, { ...stake, amount: '1' }], 'items[1].amount'],
    [[stake, { ...stake, validatorId: '0x1' }], 'items[1].validatorId'],
    [[{ action: 'unstake', stakedTokenId: '0x1' }], 'items[0].stakedTokenId'],
    [[{ action: 'withdraw', stakedTokenId }], 'items[0].stakedTokenId'],
    [
      [
        { action: 'unstake', stakedTokenId, amount: TEN },
        { action: 'unstake', stakedTokenId },
      ],
      'items[1].stakedTokenId',
    ],
    [[{ action: 'unstake', stakedTokenId, amount: '1' }], 'items[0].amount'],
  ] as const
  for (const [items, field] of refused) {
    await assert.rejects(
      agent.buildBatch({ items: [...items] }),
      (error: { details?: { field: string }[] }) => {
        assert.equal(error.details?.[0]?.field, field)
        return true
      },
    )
  }
  const stranger = agent.buildBatch({ items: [{ action: 'unstake', stakedTokenId }], sender: ME })
  await assert.rejects(stranger, { code: 'invalid_input', message: /`sender`/ })
  await assert.rejects(agent.buildBatch({ items: [] }), { code: 'invalid_input' })
  const tooMany = Array(LIMITS.batchItems + 1).fill(stake)
  await assert.rejects(agent.buildBatch({ items: tooMany }), { code: 'invalid_input' })
  const join = { action: 'join', stakedTokenIds: Array(LIMITS.joinedTokens).fill(stakedTokenId) } as const
  await assert.rejects(agent.buildBatch({ items: Array(21).fill(join) }), {
    message: /at most 200 tokens in all/,
  })
})

test('200: warnings name the reasons against a stake, by rule', async () => {
  await using app = await openChainApp('ika')
  const { agent } = app
  const ids = [VALIDATORS.candidate, VALIDATORS.steady, VALIDATORS.greedy, VALIDATORS.lapsed]
  const items = ids.map((validatorId) => ({ action: 'stake', validatorId, amount: TEN }) as const)
  const { warnings } = await agent.buildBatch({ items })
  assert.deepEqual(
    warnings.map(({ item, rule }) => [item, rule]),
    [
      [0, 'candidate_may_lock'],
      [0, 'not_in_committee'],
      [1, 'commission_rises'],
      [2, 'keeps_everything'],
      [3, 'reported'],
    ],
  )
  const single = await agent.buildStake({ validatorId: VALIDATORS.candidate, amount: TEN })
  assert.deepEqual(
    single.warnings.map(({ rule }) => rule),
    ['candidate_may_lock', 'not_in_committee'],
  )
  assert.match(
    single.warnings[1]?.message ?? '',
    /until it has a seat, which takes [\d.,]+ IKA; it has 0 IKA without this stake\.$/,
  )
})
