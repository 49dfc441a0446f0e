import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ConfiguredEndpoint } from '#adapters/sui/connection/endpoint-address.ts'
import type { Call } from '../fake-full-node/grpc-web-server.ts'
import { EPOCH } from '../fake-full-node/sample-network.ts'
import { openTestChain, sampleWorld, soon } from './opened-chain.ts'

const SECRET = 'hunter2-and-more'
const unavailable = { name: 'Fault', code: 'rpc_unavailable' }

async function openWith(configure: (url: string) => ConfiguredEndpoint, refuse: (call: Call) => boolean) {
  const opened = await openTestChain('ika', [sampleWorld('ika')], { retries: 0 }, configure)
  const [node] = opened.nodes
  assert.ok(node)
  const body = `the key ${SECRET} is not known`
  const headers = { 'content-type': 'text/plain' }
  node.plan = (call) => (refuse(call) ? { kind: 'http-status', status: 401, headers, body } : undefined)
  return opened
}

const basicOf = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

const PLACES: Record<
  string,
  { configure: (url: string) => ConfiguredEndpoint; has: (call: Call) => boolean }
> = {
  'a header': {
    configure: (url) => ({ url, headers: { 'x-token': SECRET } }),
    has: ({ headers }) => headers['x-token'] === SECRET,
  },
  'the query, after the path of the service': {
    configure: (url) => ({ url: `${url}/?key=${SECRET}` }),
    has: ({ query }) => query === `?key=${SECRET}`,
  },
  'name and password in the URL': {
    configure: (url) => ({ url: url.replace('//', `//me:${SECRET.replace('h', '%68')}@`) }),
    has: ({ headers }) => headers.authorization === basicOf(`me:${SECRET}`),
  },
  'a header instead of name and password': {
    configure: (url) => ({
      url: url.replace('//', '//me:another@'),
      headers: { authorization: `Bearer ${SECRET}` },
    }),
    has: ({ headers }) => headers.authorization === `Bearer ${SECRET}`,
  },
}

describe('credentials of an endpoint', () => {
  for (const [place, { configure, has }] of Object.entries(PLACES)) {
    test(`${place}: every request carries them`, async () => {
      await using opened = await openWith(configure, (call) => !has(call))
      assert.equal((await opened.chain.readSnapshot(soon())).epoch.number, EPOCH)
      assert.deepEqual(opened.warnings, [])
    })

    test(`${place}: credentials that a node echoes in its error are masked in the log`, async () => {
      await using opened = await openWith(configure, () => true)
      await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
      assert.deepEqual(
        opened.warnings.map(({ reason }) => reason),
        ['HTTP 401 Unauthorized: the key *** is not known'],
      )
    })
  }
})

describe('the reason of a refusal is logged', () => {
  const REASONS = {
    401: 'HTTP 401 Unauthorized',
    403: 'HTTP 403 Forbidden',
    429: 'HTTP 429 Too Many Requests',
    503: 'HTTP 503 Service Unavailable',
    599: 'HTTP 599',
  }
  for (const [status, reason] of Object.entries(REASONS)) {
    test(reason, async () => {
      await using opened = await openTestChain('ika', [sampleWorld('ika')], { retries: 0 })
      for (const node of opened.nodes) node.plan = () => ({ kind: 'http-status', status: Number(status) })
      await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
      assert.deepEqual(
        opened.warnings.map((warning) => warning.reason),
        [reason],
      )
    })
  }

  test('the text of a node is cut to one short line without control characters', async () => {
    await using opened = await openTestChain('ika', [sampleWorld('ika')], { retries: 0 })
    const headers = { 'content-type': 'application/json' }
    const body = `{"error":\r\n"no\u001b[31m access${'x'.repeat(1_000)}"}`
    for (const node of opened.nodes) node.plan = () => ({ kind: 'http-status', status: 403, headers, body })
    await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
    const reason = opened.warnings[0]?.reason ?? ''
    assert.match(reason, /^HTTP 403 Forbidden: \{"error": "no \[31m accessx+$/)
    assert.ok(reason.length < 300)
  })

  test('a node that cannot be reached', async () => {
    await using opened = await openTestChain('ika', [sampleWorld('ika')], { retries: 0 })
    for (const node of opened.nodes) await node[Symbol.asyncDispose]()
    await assert.rejects(opened.chain.readSnapshot(soon()), unavailable)
    assert.match(opened.warnings[0]?.reason ?? '', /^no connection: .*ECONNREFUSED/)
  })
})
