import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFakeFullNode } from '../../server/test/fake-full-node/fake-full-node.ts'
import { sampleNetwork } from '../../server/test/fake-full-node/sample-network.ts'
import { sampleWorld, WORLDS } from '../../server/test/sui/opened-chain.ts'
import { runCli } from './run-cli.ts'

const fresh = () => ({ checkpointAt: Date.now() - 2_000 })

test('0: a table with one line for each node, and no secret', async () => {
  await using node = await startFakeFullNode(WORLDS.walrus(sampleNetwork(fresh())))
  const url = `${node.url}/?key=very-secret-token`
  const env = { NETWORK: 'walrus', SUI_RPC_URLS: url }
  const { code, stdout, stderr } = await runCli(env, 'network', 'check')
  assert.equal(code, 0, stderr)
  const [heading = '', line = '', ...rest] = stdout.trim().split('\n')
  assert.match(heading, /^ENDPOINT +LATENCY MS +CHAIN +EPOCH +VALIDATORS +AGE S +CALLS +MISSING$/)
  assert.match(line, /^127\.0\.0\.1:\d+ +\d+ +mainnet +40 +7 +\d+ +\d+ +nothing$/)
  assert.deepEqual(rest, [])
  assert(!`${stdout}${stderr}`.includes('secret'))
})

test('1: what each node cannot do, and why', async () => {
  await using other = await startFakeFullNode(sampleWorld('ika-testnet'))
  await using old = await startFakeFullNode(sampleWorld('ika'))
  await using half = await startFakeFullNode(WORLDS.ika(sampleNetwork(fresh())))
  half.plan = ({ method }) => (method === 'ListOwnedObjects' ? { kind: 'reset' } : undefined)
  const env = { NETWORK: 'ika', SUI_RPC_URLS: [other, old, half].map(({ url }) => url).join() }
  const { code, stdout } = await runCli(env, 'network', 'check', '--json')
  assert.equal(code, 1)
  const { nodes } = JSON.parse(stdout).data
  assert.deepEqual(
    nodes.map(({ missing }: { missing: readonly string[] }) => missing),
    [['validators'], ['fresh data'], ['stakes of an address']],
  )
  assert.match(nodes[0].problem, /this is chain 69WiPg3DAQiwdxfncX6wYQ2siKwAe6L9BZthQea3JNMD/)
})

test('2: the sandbox has no nodes', async () => {
  const { code, stderr } = await runCli({}, 'network', 'check')
  assert.equal(code, 2)
  assert.match(stderr, /SUI_RPC_URLS/)
})
