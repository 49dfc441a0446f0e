import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@stakewright/client'
import { LIMITS } from '@stakewright/contract/limits'
import { SIMULATED_GAS } from '../fake-full-node/simulation.ts'
import { idOf } from '../fake-full-node/world.ts'
import { sampleWorld } from '../sui/opened-chain.ts'
import { openAppOn, openChainApp, openChainHolding } from '../support/chain-app.ts'
import { type Holdings, holdingsOn, joinableTokensOn, TEN, TWINS } from '../support/holdings.ts'

const PART = '2000000000'

const buildAll = async (agent: Client, { validatorId, sender, earning, due }: Holdings) => ({
  stake: await agent.buildStake({ validatorId, amount: TEN, sender }),
  unstake: await agent.buildUnstake(earning),
  'unstake a part': await agent.buildUnstake({ ...earning, amount: PART }),
  withdraw: await agent.buildWithdraw(due),
  batch: await agent.buildBatch({
    items: [
      { action: 'stake', validatorId, amount: TEN },
      { action: 'unstake', stakedTokenId: earning.stakedTokenId, amount: PART },
    ],
    sender,
  }),
})

const MADE = { created: 1, changed: 0, removed: 0 }
const TWO_STEPS = {
  stake: MADE,
  unstake: { ...MADE, created: 0, changed: 1 },
  'unstake a part': { ...MADE, changed: 1 },
  withdraw: { ...MADE, created: 0, removed: 1 },
  batch: { ...MADE, created: 2, changed: 1 },
}
/** A part that is split off counts as created. On Sui unstaked stake is paid out at once, and its token removed. */
const ONE_STEP = {
  ...TWO_STEPS,
  unstake: { created: 0, changed: 0, removed: 1 },
  'unstake a part': { created: 1, changed: 0, removed: 1 },
  batch: { created: 2, changed: 0, removed: 1 },
}

for (const network of ['ika', 'walrus', 'sui'] as const) {
  test(`200: ${network}: the node simulates each built transaction for its sender`, async () => {
    await using app = await openChainApp(network)
    const built = await buildAll(app.agent, await holdingsOn(network, app.agent))
    const expected = network === 'sui' ? ONE_STEP : TWO_STEPS
    for (const [name, { simulation }] of Object.entries(built)) {
      assert.equal(simulation.status, 'success', `${name}: ${simulation.reason}`)
      assert.equal(simulation.gas, String(SIMULATED_GAS))
      assert.deepEqual(simulation.effects?.stakedTokens, expected[name as keyof typeof expected], name)
      assert.deepEqual(simulation.effects.balances, [
        { coinType: '0x2::sui::SUI', change: String(-SIMULATED_GAS) },
      ])
    }
  })
}

const UNLIKE = {
  ika: { module: 'staked_ika', code: 1, name: 'EMetadataMismatch' },
  walrus: { module: 'staked_wal', code: 1, name: 'EMetadataMismatch' },
  sui: { module: 'staking_pool', code: 12, name: 'EIncompatibleStakedSui' },
} as const

for (const network of ['ika', 'walrus', 'sui'] as const) {
  test(`200: ${network}: a join is simulated, alone and in a batch, and its abort explained in plain words`, async () => {
    await using app = await openChainHolding(network, TWINS)
    const { sender, stakedTokenIds } = await joinableTokensOn(network, app.agent)
    const item = { action: 'join', stakedTokenIds } as const
    const simulate = async () => [
      (await app.agent.buildJoin({ stakedTokenIds, sender })).simulation,
      (await app.agent.buildBatch({ items: [item], sender })).simulation,
    ]
    for (const { status, gas, effects } of await simulate()) {
      assert.deepEqual([status, gas], ['success', String(SIMULATED_GAS)])
      assert.deepEqual(effects?.stakedTokens, { created: 0, changed: 1, removed: 2 })
    }
    // The tokens could be joined when they were read; one of them was unstaked since.
    const { module, code, name } = UNLIKE[network]
    for (const node of app.nodes) node.simulation = { kind: 'abort', module, code }
    for (const { status, effects, abort, reason } of await simulate()) {
      assert.deepEqual([status, effects, abort], ['aborted', null, { module, code, name }])
      assert.equal(reason, 'Only stakes of one validator, activation epoch and state can be joined.')
    }
    const anonymous = (await app.agent.buildJoin({ stakedTokenIds })).simulation
    assert.match(anonymous.reason ?? '', /name the `sender`/)
  })
}

test('200: sandbox: a simulation has the effects of the execution, and changes nothing', async () => {
  await using app = await openAppOn('sandbox')
  const holdings = await holdingsOn('sandbox', app.agent)
  const { sender } = holdings
  const before = await app.agent.positions({ owner: sender })
  const built = await buildAll(app.agent, holdings)
  assert.deepEqual((await app.agent.positions({ owner: sender })).positions, before.positions)
  const { stake, withdraw } = built
  assert.deepEqual(
    [stake.simulation.gas, stake.simulation.effects?.stakedTokens],
    ['0', { created: 1, changed: 0, removed: 0 }],
  )
  assert.equal(stake.simulation.effects?.balances[0]?.change, `-${TEN}`)
  const done = await app.agent.sandboxExecute({ sender, commands: withdraw.commands })
  assert.equal(withdraw.simulation.effects?.balances[0]?.change, done.coinsPaidOut)
  assert.deepEqual(withdraw.simulation.effects.stakedTokens, { created: 0, changed: 0, removed: 1 })
})

test('200: sandbox: more than the key can borrow fails in the simulation with the message of the execution', async () => {
  await using app = await openAppOn('sandbox')
  const { validatorId, sender } = await holdingsOn('sandbox', app.agent)
  const amount = `${LIMITS.sandboxLoanCoins}000000001`
  const { simulation, commands } = await app.agent.buildStake({ validatorId, amount, sender })
  assert.equal(simulation.status, 'failed')
  assert.match(
    simulation.reason ?? '',
    /^The sandbox does not lend that much: this key may borrow [\d.]+ SBX more/,
  )
  await assert.rejects(app.agent.sandboxExecute({ sender, commands }), {
    code: 'forbidden',
    message: simulation.reason,
  })
  const { simulation: small, warnings } = await app.agent.buildStake({ validatorId, amount: TEN, sender })
  assert.equal(small.status, 'success')
  assert(!warnings.some(({ rule }) => rule === 'chain_refuses'))
})

test('200: an abort of the contract is explained in plain words, by the codes of its network', async () => {
  for (const [network, module, code, name] of [
    ['ika', 'validator', 16, 'EZeroShares'],
    ['walrus', 'staking_pool', 18, 'EZeroShares'],
    ['sui', 'staking_pool', 10, 'EDelegationToInactivePool'],
    ['walrus', 'staking_pool', 16, null],
  ] as const) {
    await using app = await openChainApp(network)
    const { validatorId, sender } = await holdingsOn(network, app.agent)
    for (const node of app.nodes) node.simulation = { kind: 'abort', module, code }
    const { simulation, summary, warnings } = await app.agent.buildStake({ validatorId, amount: TEN, sender })
    const { reason, ...rest } = simulation
    const [refused] = warnings
    const warning = { rule: 'chain_refuses', message: `The chain would refuse it now: ${reason}` }
    assert.deepEqual(refused, warning, 'the warnings alone tell of it')
    assert.match(summary, /^Would fail now\. Stakes /, 'and so does the summary alone')
    const items = [{ action: 'stake', validatorId, amount: TEN } as const]
    const batch = await app.agent.buildBatch({ items, sender })
    assert.deepEqual(batch.warnings[0], { item: null, ...warning })
    assert.match(batch.summary, /^Would fail now\. Stakes /)
    const gas = String(SIMULATED_GAS)
    assert.deepEqual(rest, { status: 'aborted', gas, effects: null, abort: { module, code, name } })
    assert.match(reason ?? '', name === null ? /code 16 of its module staking_pool/ : /stake/)
  }
})

test('200: the gas is that of the node, even of a transaction that fails, and null if the node gives none', async () => {
  await using app = await openChainApp('ika')
  const { validatorId, sender } = await holdingsOn('ika', app.agent)
  const plans = [
    ['success', { kind: 'success' }],
    ['aborted', { kind: 'abort', module: 'validator', code: 7 }],
    ['failed', { kind: 'abort', module: 'validator', code: 2n ** 63n }],
    ['failed', { kind: 'out of gas' }],
  ] as const
  for (const [status, plan] of plans) {
    for (const tellsGas of [true, false]) {
      for (const node of app.nodes) node.simulation = { ...plan, tellsGas }
      const { simulation } = await app.agent.buildStake({ validatorId, amount: TEN, sender })
      const gas = tellsGas ? String(SIMULATED_GAS) : null
      assert.deepEqual([simulation.status, simulation.gas], [status, gas])
    }
  }
})

test('200: a lack of gas and a lack of coins each have their own reason', async () => {
  await using app = await openChainApp('ika')
  const { validatorId, sender } = await holdingsOn('ika', app.agent)
  const simulate = async () => (await app.agent.buildStake({ validatorId, amount: TEN, sender })).simulation
  for (const node of app.nodes) node.simulation = { kind: 'out of gas' }
  assert.deepEqual(
    [(await simulate()).status, (await simulate()).reason],
    [
      'failed',
      'The transaction needs more gas than its budget allows: raise the budget. The node says: InsufficientGas',
    ],
  )
  for (const node of app.nodes) node.balance = 1n
  const poor = await simulate()
  assert.equal(poor.status, 'failed')
  assert.match(
    poor.reason ?? '',
    /^The sender does not have enough coins .* The node says: Insufficient balance of 0x\w+::ika::IKA/,
  )
})

const unavailable = (reason: string) => ({ status: 'unavailable', gas: null, effects: null, reason })

test('200: a node that does not answer is given as the reason, and the transaction is built', async () => {
  await using app = await openChainApp('ika', [sampleWorld('ika')], {}, { simulationMs: 1_000 })
  const { validatorId, sender } = await holdingsOn('ika', app.agent)
  for (const node of app.nodes)
    node.plan = ({ method }) => (method === 'SimulateTransaction' ? { kind: 'silent' } : undefined)
  const { simulation } = await app.agent.buildStake({ validatorId, amount: TEN, sender })
  assert.deepEqual(simulation, unavailable('No node simulated it in time.'))
})

test('200: a node that cannot simulate or breaks off is given as the reason, and the transaction is built', async () => {
  await using app = await openChainApp('ika')
  const { validatorId, sender } = await holdingsOn('ika', app.agent)
  const simulate = async () => (await app.agent.buildStake({ validatorId, amount: TEN, sender })).simulation
  const anonymous = (await app.agent.buildStake({ validatorId, amount: TEN })).simulation
  assert.deepEqual(anonymous, unavailable('A transaction is simulated for its sender: name the `sender`.'))
  const faults = [
    [{ kind: 'grpc-status', status: 12 }, 'The node does not offer simulation.'],
    [{ kind: 'http-status', status: 404 }, 'The node does not offer simulation.'],
    [{ kind: 'reset' }, 'The node could not simulate it.'],
    [{ kind: 'http-status', status: 503 }, 'The node could not simulate it (HTTP 503 Service Unavailable).'],
  ] as const
  for (const [fault, reason] of faults) {
    for (const node of app.nodes)
      node.plan = ({ method }) => (method === 'SimulateTransaction' ? fault : undefined)
    assert.deepEqual(await simulate(), unavailable(reason), fault.kind)
  }
  for (let more = 0; more < 5; more += 1) await simulate()
  assert.equal((await app.agent.positions({ owner: sender })).positions.length, 4, 'it still reads')
})

test('200: when one node cannot simulate, the next one does', async () => {
  await using app = await openChainApp('ika', [sampleWorld('ika'), sampleWorld('ika')])
  const { validatorId, sender } = await holdingsOn('ika', app.agent)
  const [first, second] = app.nodes
  assert(first && second)
  const simulations = () => second.calls.filter((method) => method === 'SimulateTransaction').length
  const faults = [
    { kind: 'grpc-status', status: 12 },
    { kind: 'http-status', status: 503 },
    { kind: 'reset' },
  ] as const
  for (const fault of faults) {
    first.plan = ({ method }) => (method === 'SimulateTransaction' ? fault : undefined)
    const before = simulations()
    const { simulation } = await app.agent.buildStake({ validatorId, amount: TEN, sender })
    assert.equal(simulation.status, 'success', fault.kind)
    assert.equal(simulations(), before + 1)
  }
})

test('200: if no calls are left for requests, no node is asked, and the reason says so and when to retry', async () => {
  await using app = await openChainApp('ika', [sampleWorld('ika')], { SUI_RPC_CALLS: '36' })
  const { validatorId } = await holdingsOn('ika', app.agent)
  const sender = idOf(0xa11ce)
  const reasons: (string | null | undefined)[] = []
  for (let more = 0; more < 3; more += 1)
    reasons.push((await app.agent.buildStake({ validatorId, amount: TEN, sender })).simulation.reason)
  assert.match(reasons.at(-1) ?? '', /^No node was asked: .* in \d+ s to have it simulated\.$/)
})
