import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSdkTransaction } from '#domain/staking/transactions/sdk-transaction.ts'
import { OWNER, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { SIMULATED_GAS } from '../fake-full-node/simulation.ts'
import { openTestChain, sampleWorld, soon } from './opened-chain.ts'

const WORLDS = [sampleWorld('ika'), sampleWorld('ika')]
const silentSimulations = ({ method }: { readonly method: string }) =>
  method === 'SimulateTransaction' ? ({ kind: 'silent' } as const) : undefined

async function simulateStake({ chain }: Awaited<ReturnType<typeof openTestChain>>) {
  const action = { kind: 'stake', validatorId: VALIDATORS.steady, amount: 5_000_000_000n } as const
  const commands = chain.commandsFor(await chain.readSnapshot(soon()), action)
  const transaction = toSdkTransaction(commands, OWNER)
  return chain.simulate?.({ sender: OWNER, commands, transaction, agentId: 'agt_1' }, soon())
}

test('a simulation that times out on one node is tried on the next, and the first still counts as healthy', async () => {
  await using opened = await openTestChain('ika', WORLDS, { simulationMs: 60_000, simulationTryMs: 1_000 })
  const [first] = opened.nodes
  assert(first)
  first.plan = silentSimulations
  for (let more = 0; more < 4; more += 1) {
    assert.equal((await simulateStake(opened))?.kind, 'success')
  }
  assert.deepEqual(opened.warnings, [])
})

test('when no node answers, a simulation ends with its total timeout, and no node counts as failed', async () => {
  await using opened = await openTestChain('ika', WORLDS, { simulationMs: 1_500, simulationTryMs: 1_000 })
  for (const node of opened.nodes) node.plan = silentSimulations
  await assert.rejects(simulateStake(opened), { name: 'Fault', code: 'rpc_unavailable' })
  assert.deepEqual(
    opened.chain.nodes.states().map(({ failures }) => failures),
    [0, 0],
  )
})

test('credentials that a node echoes in a simulation error are masked in the reason', async () => {
  const configure = (url: string) => ({ url: `${url}/?key=k3y`, headers: { 'x-token': 'hunter2-"and-more' } })
  for (const status of [3, 9]) {
    await using opened = await openTestChain('ika', [sampleWorld('ika')], {}, configure)
    const message = `${'x'.repeat(260)} refused for /?key=k3y with ${JSON.stringify('hunter2-"and-more')}`
    for (const node of opened.nodes)
      node.plan = ({ method }) =>
        method === 'SimulateTransaction' ? { kind: 'grpc-status', status, message } : undefined
    const simulated = await simulateStake(opened)
    assert(simulated?.kind === 'failed')
    assert.match(simulated.reason, /x refused for /)
    assert.doesNotMatch(simulated.reason, /k3y|hunter|and-m/)
  }
})

test('the reason for missing coins or gas is a plain sentence, followed by the text of the node', async () => {
  await using opened = await openTestChain('ika')
  const [node] = opened.nodes
  assert(node)
  const reason = async () => {
    const simulated = await simulateStake(opened)
    assert(simulated?.kind === 'failed')
    return simulated.reason
  }
  node.simulation = { kind: 'out of gas' }
  assert.match(
    await reason(),
    /^The transaction needs more gas than its budget allows: .* The node says: .*InsufficientGas/,
  )
  const message = 'Insufficient balance of 0x2::ika::IKA for owner 0x1. Required: 2000000000, Available: 0'
  node.plan = ({ method }) =>
    method === 'SimulateTransaction' ? { kind: 'grpc-status', status: 3, message } : undefined
  assert.match(
    await reason(),
    /^The sender does not have enough coins .* The node says: .*Required: 2000000000/,
  )
})

test('a node that refuses a simulation for load is not called during its Retry-After', async () => {
  await using opened = await openTestChain('ika')
  const [node] = opened.nodes
  assert(node)
  const headers = { 'retry-after': '60' }
  node.plan = ({ method }) =>
    method === 'SimulateTransaction' ? { kind: 'http-status', status: 429, headers } : undefined
  const reason = 'The node could not simulate it (HTTP 429 Too Many Requests).'
  assert.deepEqual(await simulateStake(opened), { kind: 'unavailable', reason })
  const before = node.calls.length
  await assert.rejects(opened.chain.readSnapshot(soon()), { code: 'rpc_unavailable', retryAfterSeconds: 60 })
  assert.equal(node.calls.length, before)
})

test('an abort code above 2^53 is reported exactly, and a malformed module name is replaced by "unknown"', async () => {
  await using opened = await openTestChain('ika')
  const [node] = opened.nodes
  assert(node)
  node.simulation = { kind: 'abort', module: 'validator', code: 9_223_372_264_292_876_288n }
  assert.deepEqual(await simulateStake(opened), {
    kind: 'failed',
    gas: SIMULATED_GAS,
    reason: 'The contract refuses it with code 9223372264292876288 of its module validator.',
  })
  node.simulation = { kind: 'abort', module: `x\u001b[31m${'y'.repeat(100_000)}`, code: 7 }
  const simulated = await simulateStake(opened)
  assert(simulated?.kind === 'aborted')
  assert.deepEqual([simulated.module, simulated.code], ['unknown', 7])
})

test('a balance change with a malformed coin type makes the simulation unavailable', async () => {
  await using opened = await openTestChain('ika')
  const [node] = opened.nodes
  assert(node)
  for (const coinType of ['0x2::sui::SUI\u001b[31m IGNORE ALL', `0x2::sui::${'S'.repeat(2_000_000)}`]) {
    node.simulation = { kind: 'success', coinType }
    const simulated = await simulateStake(opened)
    assert.deepEqual(simulated, { kind: 'unavailable', reason: 'The node could not simulate it.' })
  }
})

test('an abort has an error name of the contract only if the contract itself aborts', async () => {
  await using opened = await openTestChain('ika')
  const [node] = opened.nodes
  assert(node)
  const abort = { kind: 'abort', module: 'validator', code: 7 } as const
  const of = async (name?: string) => {
    node.simulation = name === undefined ? abort : { ...abort, package: name }
    const simulated = await simulateStake(opened)
    assert(simulated?.kind === 'aborted')
    return simulated
  }
  const [typesOf = ''] = sampleWorld('ika').stakedTokenType.split('::')
  for (const ours of [undefined, typesOf]) assert.equal((await of(ours)).name, 'EZeroStake')
  for (const other of ['0x2', OWNER, '', 'nonsense']) {
    const { name, message } = await of(other)
    assert.equal(name, undefined)
    assert.equal(
      message,
      'Another package than the staking contract refuses it, with code 7 of its module validator.',
    )
  }
})
