import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SuiNetworkName } from '../../server/src/adapters/sui/networks/networks.ts'
import { startFakeFullNode } from '../../server/test/fake-full-node/fake-full-node.ts'
import { startFakeGraphql } from '../../server/test/fake-full-node/graphql-server.ts'
import { livingWorld } from '../../server/test/fake-full-node/living-world.ts'
import { sampleWorld } from '../../server/test/sui/opened-chain.ts'
import { runHere } from './typed-line.ts'

/** A network with fresh data. Calls to it get a long timeout, because the machine may be slow. */
const present = (network: SuiNetworkName) => livingWorld(sampleWorld(network))
const PATIENT = ['--timeout', '100']
const check = (env: Readonly<Record<string, string>>, ...flags: readonly string[]) =>
  runHere(env, 'network', 'check', ...PATIENT, ...flags)

test('0: "network check" prints one line for each node, and no secret', async () => {
  await using node = await startFakeFullNode(present('walrus'))
  const url = `${node.url}/?key=very-secret-token`
  const env = { NETWORK: 'walrus', SUI_RPC_URLS: url }
  const { code, stdout, stderr } = await check(env)
  assert.equal(code, 0, stderr)
  const [heading = '', line = '', ...rest] = stdout.trim().split('\n')
  assert.match(heading, /^ENDPOINT +KIND +LATENCY MS +CHAIN +EPOCH +VALIDATORS +AGE S +CALLS +MISSING$/)
  assert.match(line, /^127\.0\.0\.1:\d+ +full node +\d+ +mainnet +40 +7 +\d+ +\d+ +nothing$/)
  assert.deepEqual(rest, [])
  assert(!`${stdout}${stderr}`.includes('secret'))
})

test('0: each node gets its own headers, by SUI_RPC_HEADERS or within SUI_RPC_URLS', async () => {
  const world = present('ika')
  await using first = await startFakeFullNode(world)
  await using second = await startFakeFullNode(world)
  const nodes = [
    { node: first, token: 'first-secret-token' },
    { node: second, token: 'second-secret-token' },
  ]
  for (const { node, token } of nodes)
    node.plan = ({ headers }) =>
      headers['x-token'] === token ? undefined : { kind: 'http-status', status: 401 }
  const headersOf = (token: string) => ({ 'x-token': token })
  const urls = nodes.map(({ node }) => node.url).join()
  const byHost = nodes.map(({ node, token }) => [new URL(node.url).host, headersOf(token)])
  for (const env of [
    { SUI_RPC_URLS: urls, SUI_RPC_HEADERS: JSON.stringify(Object.fromEntries(byHost)) },
    {
      SUI_RPC_URLS: JSON.stringify(
        nodes.map(({ node, token }) => ({ url: node.url, headers: headersOf(token) })),
      ),
    },
  ]) {
    const { code, stdout, stderr } = await check({ NETWORK: 'ika', ...env })
    assert.equal(code, 0, stderr)
    assert.equal(
      stdout
        .trim()
        .split('\n')
        .filter((line) => / nothing$/.test(line)).length,
      2,
    )
    assert(!`${stdout}${stderr}`.includes('secret'))
  }
  const without = await check({ NETWORK: 'ika', SUI_RPC_URLS: urls }, '--json')
  assert.equal(without.code, 1)
  for (const { problem } of JSON.parse(without.stdout).data.nodes) assert.match(problem, /HTTP 401/)
})

test('1: the report says what each node cannot do, and why', async () => {
  await using other = await startFakeFullNode(sampleWorld('ika-testnet'))
  await using old = await startFakeFullNode(sampleWorld('ika'))
  await using half = await startFakeFullNode(present('ika'))
  half.plan = ({ method }) => (method === 'ListOwnedObjects' ? { kind: 'reset' } : undefined)
  const env = { NETWORK: 'ika', SUI_RPC_URLS: [other, old, half].map(({ url }) => url).join() }
  const { code, stdout } = await check(env, '--json')
  assert.equal(code, 1)
  const { nodes } = JSON.parse(stdout).data
  assert.deepEqual(
    nodes.map(({ missing }: { missing: readonly string[] }) => missing),
    [['validators'], ['fresh data'], ['stakes of an address']],
  )
  assert.match(nodes[0].problem, /this is testnet \(chain 69WiPg3DAQiwd\w+\), not mainnet \(chain 4btiuiMP/)
  assert.equal(nodes[0].chain, 'testnet')
})

test('1: a node without simulation, and an unreachable node', async () => {
  const world = present('ika')
  await using plain = await startFakeFullNode(world)
  plain.plan = ({ method }) =>
    method === 'SimulateTransaction' ? { kind: 'http-status', status: 501 } : undefined
  const gone = await startFakeFullNode(world)
  await gone[Symbol.asyncDispose]()
  const env = { NETWORK: 'ika', SUI_RPC_URLS: [plain, gone].map(({ url }) => url).join() }
  const { code, stdout } = await check(env, '--json')
  assert.equal(code, 1)
  const [simulates, absent] = JSON.parse(stdout).data.nodes
  assert.deepEqual([simulates.missing, simulates.chain], [['simulation'], 'mainnet'])
  assert.equal(simulates.problem, 'The node does not offer simulation.')
  assert.deepEqual([absent.missing, absent.chain, absent.latencyMs], [['validators'], null, null])
  assert.match(absent.problem, /ECONNREFUSED/)
})

test('1: a node that answers only its service info is reported after the timeout of a call', async () => {
  await using mute = await startFakeFullNode(present('ika'))
  mute.plan = ({ method }) => (method === 'GetServiceInfo' ? undefined : { kind: 'silent' })
  const env = { NETWORK: 'ika', SUI_RPC_URLS: mute.url }
  const reported = async (...flags: readonly string[]) => {
    const { code, stdout } = await runHere(env, 'network', 'check', '--json', ...flags)
    assert.equal(code, 1)
    return JSON.parse(stdout).data.nodes[0]
  }
  assert.equal((await reported()).problem, 'no answer to a call within 2 s')
  const { missing, chain, problem, latencyMs } = await reported('--timeout', '8')
  assert.deepEqual([missing, chain], [['validators'], 'mainnet'])
  assert.equal(problem, 'no answer to a call within 8 s')
  assert(latencyMs < 8_000)
})

test('0: the GraphQL source has its own line and gets the headers of its host; no secret is printed', async () => {
  const world = present('ika')
  await using node = await startFakeFullNode(world)
  await using source = await startFakeGraphql(world)
  const { host } = new URL(source.url)
  const env = {
    NETWORK: 'ika',
    SUI_RPC_URLS: node.url,
    SUI_GRAPHQL_URL: source.url,
    SUI_RPC_HEADERS: JSON.stringify({ [host]: { authorization: 'Bearer very-secret-token' } }),
  }
  const { code, stdout, stderr } = await check(env)
  assert.equal(code, 0, stderr)
  const [, first = '', second = '', ...rest] = stdout.trim().split('\n')
  assert.match(first, / full node /)
  assert.match(second, /^127\.0\.0\.1:\d+ +GraphQL +\d+ +mainnet +- +- +\d+ +1 +nothing$/)
  assert.deepEqual(rest, [])
  assert.equal(source.asked[0]?.headers.authorization, 'Bearer very-secret-token')
  assert(!`${stdout}${stderr}`.includes('secret'))
})

test('1: the report says what the GraphQL source cannot do, and why', async () => {
  const world = present('ika')
  await using node = await startFakeFullNode(world)
  await using source = await startFakeGraphql(world)
  const env = { NETWORK: 'ika', SUI_RPC_URLS: node.url, SUI_GRAPHQL_URL: source.url }
  const reported = async () => {
    const { code, stdout } = await check(env, '--json')
    assert.equal(code, 1)
    const [ofNode, { kind, chain, missing, problem }] = JSON.parse(stdout).data.nodes
    assert.deepEqual([ofNode.kind, ofNode.missing, kind], ['full-node', [], 'graphql'])
    return { chain, missing, problem }
  }
  const absent = { chain: null, missing: ['delegators'] }
  source.disturbances.push({ status: 503 })
  assert.deepEqual(await reported(), { ...absent, problem: 'HTTP 503 Service Unavailable' })
  source.disturbances.push({ errors: [{ message: 'Unknown field "objects"' }] })
  assert.deepEqual(await reported(), { ...absent, problem: 'Unknown field "objects"' })
  source.world = sampleWorld('ika-testnet')
  const { problem, ...other } = await reported()
  assert.deepEqual(other, absent)
  assert.match(problem, /this is testnet \(chain 69WiPg3D\w+\), not mainnet \(chain 4btiuiMP/)
  source.world = sampleWorld('ika')
  assert.deepEqual(await reported(), { chain: 'mainnet', missing: ['fresh data'], problem: null })
})

test('2: the sandbox has no nodes', async () => {
  const { code, stderr } = await check({})
  assert.equal(code, 2)
  assert.match(stderr, /SUI_RPC_URLS/)
})
