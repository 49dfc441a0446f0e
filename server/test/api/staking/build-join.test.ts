import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Transaction } from '@mysten/sui/transactions'
import { LIMITS } from '@stakewright/contract'
import { EPOCH, OWNER, STRANGER, TOKENS, VALIDATORS } from '../../fake-full-node/sample-network.ts'
import { idOf } from '../../fake-full-node/world.ts'
import { openAppHolding, openSandboxApp } from '../../support/chain-app.ts'
import { joinableTokensOn, ME, stakeInSandbox, TEN, TWINS } from '../../support/holdings.ts'
import { builtOffline, callsIn, expectedCall, jsonOf } from '../../support/sdk-transactions.ts'
import { refusesField } from '../refused.ts'

const CALLS = {
  sandbox: 'staked_token::join',
  ika: 'staked_ika::join',
  walrus: 'staked_wal::join',
  sui: 'staking_pool::join_staked_sui',
} as const

for (const network of ['sandbox', 'ika', 'walrus', 'sui'] as const) {
  test(`200: ${network}: tokens of one validator, epoch and state become one, by calls that the SDK accepts`, async () => {
    await using app = await openAppHolding(network, TWINS)
    const { agent } = app
    const { sender, stakedTokenIds } = await joinableTokensOn(network, agent)
    const built = await agent.buildJoin({ stakedTokenIds, sender })
    assert.deepEqual([built.action, built.requiresEpochWait], ['join', false])
    assert.match(
      built.summary,
      /^Joins 3 staked tokens into 0x\w+, which holds 1447 \w+ then; nothing is staked or paid out\.$/,
    )
    const [first, ...others] = stakedTokenIds
    const owned = (objectId: string | undefined) => ({ kind: 'ownedObject', objectId })
    assert.deepEqual(
      built.commands.map(
        (command) =>
          command.kind === 'moveCall' && [command.target.replace(/^0x\w+::/, ''), command.arguments],
      ),
      others.map((id) => [CALLS[network], [owned(first), owned(id)]]),
    )
    assert.deepEqual(built.intent.expectedEffects, [{ action: 'join', stakedTokenIds }])
    const json = JSON.parse(JSON.stringify(built.transaction))
    assert.deepEqual(await jsonOf(Transaction.from(JSON.stringify(json))), json)
    const offline = await builtOffline(built.commands, sender)
    assert.deepEqual(callsIn(offline), built.commands.flatMap(expectedCall))
    const item = { action: 'join', stakedTokenIds } as const
    const batch = await agent.buildBatch({ items: [item], sender })
    assert.equal(
      JSON.stringify(batch.commands).replaceAll(/-\d"/g, '"'),
      JSON.stringify(built.commands),
      'the same as an item of a batch',
    )
  })
}

test('200: sandbox: after a join the first token has the principal and the rewards of all', async () => {
  await using app = await openSandboxApp()
  const { agent } = app
  const { stakedTokenIds, sender } = await joinableTokensOn('sandbox', agent)
  await agent.sandboxAdvance({ epochs: 4 })
  const before = (await agent.positions({ owner: sender })).positions
  const { commands, simulation } = await agent.buildJoin({ stakedTokenIds, sender })
  assert.deepEqual(simulation.effects?.stakedTokens, { created: 0, changed: 1, removed: 2 })
  const done = await agent.sandboxExecute({ sender, commands })
  assert.deepEqual([done.status, done.consumed], ['done', stakedTokenIds.slice(1)])
  const [joined, ...none] = (await agent.positions({ owner: sender })).positions
  assert.deepEqual([joined?.stakedTokenId, none], [stakedTokenIds[0], []])
  const sum = (field: 'principal' | 'rewards') =>
    before.reduce((total, position) => total + BigInt(position[field]), 0n)
  assert.equal(joined?.principal, String(sum('principal')))
  // Shares are rounded down once instead of three times.
  const gained = BigInt(joined?.rewards ?? 0) - sum('rewards')
  assert(gained >= 0n && gained <= 4n, `${gained}`)
})

test('200: sandbox: ten tokens in each of twenty joins are one transaction, with thirty splits beside them', async () => {
  await using app = await openSandboxApp()
  const { agent } = app
  const { data } = await agent.validators({ status: 'active', limit: 20, sort: 'totalStake' })
  const [{ id: first } = assert.fail()] = data
  const large = Array.from({ length: LIMITS.batchItems - 20 }, () => {
    return { action: 'stake', validatorId: first, amount: '50000000000' } as const
  })
  const held = await agent.buildBatch({ items: large, sender: ME })
  const split = await agent.sandboxExecute({ sender: ME, commands: held.commands })
  await agent.sandboxAdvance({ epochs: 3 })
  const items = []
  for (const { id: validatorId } of data) {
    const stakes = Array.from({ length: 10 }, () => ({ action: 'stake', validatorId, amount: TEN }) as const)
    const { commands } = await agent.buildBatch({ items: stakes, sender: ME })
    const { created } = await agent.sandboxExecute({ sender: ME, commands })
    const stakedTokenIds = created.map(({ stakedTokenId }) => stakedTokenId)
    items.push({ action: 'join', stakedTokenIds } as const)
  }
  assert.equal(items.length, 20)
  const splits = split.created.map(
    ({ stakedTokenId }) => ({ action: 'unstake', stakedTokenId, amount: TEN }) as const,
  )
  const { commands } = await agent.buildBatch({ items: [...items, ...splits], sender: ME })
  assert(commands.length <= LIMITS.executedCommands)
  const done = await agent.sandboxExecute({ sender: ME, commands })
  assert.deepEqual([done.status, done.consumed.length], ['done', 180])
})

test('400: sums above the largest amount of the chain are refused, alone and in a batch', async () => {
  const half = 2n ** 63n
  const halves = TWINS.map((twin) => ({ ...twin, principal: half }))
  const stakedTokenIds = halves.map(({ id }) => id)
  await using app = await openAppHolding('ika', halves)
  const { agent } = app
  await refusesField(
    agent.buildJoin({ stakedTokenIds }),
    'stakedTokenIds',
    /hold more than 18446744073709551615/,
  )
  const join = { action: 'join', stakedTokenIds } as const
  await refusesField(agent.buildBatch({ items: [join] }), 'items[0].stakedTokenIds', /hold more than/)
  const stake = (amount: bigint) =>
    ({ action: 'stake', validatorId: VALIDATORS.steady, amount: String(amount) }) as const
  await refusesField(agent.buildBatch({ items: [stake(half), stake(half)] }), 'items', /stake more than/)
  assert.equal((await agent.buildBatch({ items: [stake(half), stake(half - 1n)] })).items.length, 2)
})

const OTHERS = {
  'another validator': { validatorId: VALIDATORS.lapsed },
  'another activation epoch': { activationEpoch: 21 },
  'another state': { withdrawEpoch: EPOCH + 2 },
} as const

for (const network of ['ika', 'walrus', 'sui'] as const) {
  test(`400: ${network}: a token that the contract would refuse is named with the reason`, async () => {
    const [twin = assert.fail()] = TWINS
    const others = Object.values(OTHERS).map((other, at) => ({ ...twin, id: idOf(0x2b0 + at), ...other }))
    const foreign = { ...twin, id: idOf(0x2c0), owner: STRANGER }
    await using app = await openAppHolding(network, [twin, ...others, foreign])
    const join = (...ids: readonly string[]) =>
      app.agent.buildJoin({ stakedTokenIds: [TOKENS.earning, ...ids], sender: OWNER })
    for (const [at, what] of Object.keys(OTHERS).entries()) {
      // StakedSui has no state: unstaked stake is paid out at once.
      if (network === 'sui' && what === 'another state') continue
      const refused = join(twin.id, others[at]?.id ?? '')
      await refusesField(refused, 'stakedTokenIds[2]', new RegExp(`^has ${what} than the first: `))
    }
    await refusesField(join(foreign.id), 'sender', /can sign for it/)
    await refusesField(join(idOf(0xdead)), 'stakedTokenIds[1]', /lists them/)
    await refusesField(join(twin.id, TOKENS.earning), 'stakedTokenIds[2]', /is named before/)
    await refusesField(app.agent.buildJoin({ stakedTokenIds: [twin.id] }), 'stakedTokenIds', /at least 2/)
    const items = [
      { action: 'join', stakedTokenIds: [TOKENS.earning, twin.id] },
      { action: 'unstake', stakedTokenId: twin.id },
    ] as const
    const batch = app.agent.buildBatch({ items, sender: OWNER })
    await refusesField(batch, 'items[1].stakedTokenId', /is a token of items\[0\], too/)
  })
}

test('the sandbox aborts a join of unlike tokens as the contract does', async () => {
  await using app = await openSandboxApp()
  const { agent } = app
  const { stakedTokenIds, sender } = await joinableTokensOn('sandbox', agent)
  const { commands } = await agent.buildJoin({ stakedTokenIds, sender })
  await agent.sandboxAdvance({ epochs: 1 })
  const { data } = await agent.validators({ status: 'active', limit: 1 })
  const later = await stakeInSandbox(agent, data[0]?.id ?? '')
  const unlike = JSON.parse(JSON.stringify(commands).replaceAll(stakedTokenIds[2] ?? '', later.stakedTokenId))
  const { status, abort } = await agent.sandboxExecute({ sender, commands: unlike })
  assert.equal(status, 'aborted')
  assert.deepEqual([abort?.module, abort?.code, abort?.name], ['staked_token', 1, 'EMetadataMismatch'])
})
