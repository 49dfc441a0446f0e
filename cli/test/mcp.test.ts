import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { connectStdio, ERAS, type Revision } from '../../server/test/mcp/mcp-client.ts'
import { admitAgent } from '../../server/test/support/admitted-agent.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { relayMcp } from '../src/mcp/relay.ts'
import { serve } from './support/serve.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

const connect = (revision: Revision, env: Readonly<Record<string, string>>) =>
  connectStdio({ command: process.execPath, args: [MAIN, 'mcp'], env }, revision)

/** The answers of the program to raw input lines. */
async function answersTo(lines: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [MAIN, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  const answered = await text(child.stdout)
  return answered
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('a line is relayed unparsed, so that the service can refuse inexact numbers and duplicate keys', async () => {
  await using app = await openTestApp()
  const { apiKey } = await admitAgent(app)
  const call = (id: string, amount: string) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"allocate","arguments":{"amount":${amount}}}}`
  const twice = call('2', '"5000000000","amount":"6000000000"')
  const lines = [call('1', '12345678901234567'), twice, call('1794859000123456789', '"5000000000"')]
  const answers = await answersTo(lines, { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: apiKey })
  const [double, refused, unnamed] = answers.toSorted((a, b) => Number(b.id) - Number(a.id))
  assert.match(double.result.content[0].text, /same key twice/)
  assert.equal(refused.result.isError, true)
  assert.match(refused.result.content[0].text, /Put `amount` in quotes/)
  assert.equal(unnamed.id, null)
  assert.match(JSON.stringify(unnamed), /Send it as a string/)
})

test('2025-03-26: a batch is answered by one list; invalid JSON and invalid messages have different error codes', async () => {
  await using app = await openTestApp()
  const request = (id: number, method: string, params: object = {}) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  })
  const notice = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const batch = JSON.stringify([request(2, 'ping'), notice, request(3, 'tools/list')])
  const ids = (answers: readonly { readonly id: number }[]) => answers.map(({ id }) => id)
  const answered = await answersTo([batch], { STAKEWRIGHT_URL: app.url })
  assert.deepEqual(answered.map(ids), [[2, 3]])
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: batch,
  })
  assert.deepEqual(answered, [await response.json()])

  const lines = ['[]', '5', '{', JSON.stringify([notice])]
  const refused = await answersTo(lines, { STAKEWRIGHT_URL: app.url })
  const codes = refused.map(({ error }) => error.code)
  assert.deepEqual(
    codes.toSorted((one, other) => one - other),
    [-32_700, -32_600, -32_000],
  )
  const gone = await answersTo([batch], { STAKEWRIGHT_URL: 'http://127.0.0.1:9' })
  assert.deepEqual(gone.map(ids), [[2, 3]])
  assert.match(JSON.stringify(gone), /cannot be reached/)
})

test('for a refused key the whole error is relayed, with the place where the key was set', async () => {
  await using app = await openTestApp()
  await using folder = await tempFolder()
  const wrong = `stk_${'0'.repeat(46)}`
  const call = (id: number, params: object = {}) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'usage', ...params } })
  const modern = {
    arguments: {},
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  }
  const initialize = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'initialize', params: {} })
  const profiles = join(folder.path, 'profiles.json')
  await writeFile(profiles, JSON.stringify({ default: { url: app.url, apiKey: wrong } }), { mode: 0o600 })
  for (const [env, source] of [
    [{ STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: wrong }, 'STAKEWRIGHT_API_KEY'],
    [{ STAKEWRIGHT_PROFILES: profiles }, 'the profile "default"'],
  ] as const) {
    const answers = await answersTo([call(1), call(2, modern), initialize], env)
    const [plain, named, start] = answers.toSorted((a, b) => a.id - b.id)
    for (const { result } of [plain, named]) {
      const { text } = result.content[0]
      assert(result.isError)
      for (const line of [/^error: unauthorized$/m, /^requestId: \S+$/m, /^retryable: false$/m, /^next: \{/m])
        assert.match(text, line)
      assert.match(text, new RegExp(`^fix: .*The key is that of ${source}\\.$`, 'm'))
      assert.doesNotMatch(text, /header|X-API-Key/i)
    }
    assert(!('resultType' in plain.result), 'the 2025 revisions have none')
    assert.equal(named.result.resultType, 'complete')
    assert.equal(start.error.data.error, 'unauthorized')
    assert(start.error.data.next && start.error.data.requestId)
    assert(start.error.message.endsWith(`The key is that of ${source}.`))
  }
  const [unkeyed] = await answersTo([call(1)], { STAKEWRIGHT_URL: app.url })
  assert.doesNotMatch(JSON.stringify(unkeyed), /header|X-API-Key/i)
})

test('a redirect is not followed, so that the key reaches no other address, and the error names its target', async () => {
  const reached: unknown[] = []
  await using elsewhere = await serve(({ headers }, response) => {
    reached.push(headers['x-api-key'])
    response.end('{}')
  })
  const env = { STAKEWRIGHT_API_KEY: `stk_${'0'.repeat(46)}` }
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const tool = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'usage', arguments: {} } }
  for (const status of [301, 302, 303, 307, 308]) {
    await using service = await serve((request, response) => {
      request.resume()
      response.writeHead(status, { location: `${elsewhere.url}/mcp?token=1` }).end()
    })
    const lines = [ping, tool, [ping, tool]].map((message) => JSON.stringify(message))
    const answers = await answersTo(lines, { ...env, STAKEWRIGHT_URL: service.url })
    assert.deepEqual(reached, [], `${status}`)
    assert.equal(answers.length, 3)
    for (const answer of answers.map((one) => JSON.stringify(one))) {
      assert(answer.includes(`${service.url}/mcp redirects to ${elsewhere.url}, which is not followed.`))
      assert.match(answer, /Set STAKEWRIGHT_URL to the address of the service itself/)
    }
  }
})

test('a cancellation ends every call with its id that still runs, and no notification', async () => {
  const held: { readonly response: ServerResponse; readonly id: number | undefined }[] = []
  const isNoticeAnswered = Promise.withResolvers<boolean>()
  const bothHeld = Promise.withResolvers<void>()
  await using service = await serve(async (request, response) => {
    const { method, id } = JSON.parse(await text(request))
    const answer = (one: (typeof held)[number]) =>
      one.id === undefined
        ? one.response.writeHead(202).end()
        : one.response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ jsonrpc: '2.0', id: one.id, result: {} }))
    if (method === 'second' || method === 'notice') {
      if (method === 'notice') response.on('close', () => isNoticeAnswered.resolve(response.writableFinished))
      held.push({ response, id })
      if (held.length === 2) bothHeld.resolve()
      return
    }
    if (method === 'first') await bothHeld.promise
    else held.forEach(answer)
    answer({ response, id })
  })
  const input = new PassThrough()
  const answers: string[] = []
  const firstAnswer = Promise.withResolvers<void>()
  const write = (line: string) => {
    answers.push(line)
    firstAnswer.resolve()
  }
  const relayed = relayMcp({ url: service.url, apiKey: undefined, keyFrom: '', input, write })
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  for (const method of ['first', 'second']) send({ id: 1, method })
  send({ method: 'notice' })
  await firstAnswer.promise
  for (const params of [{ requestId: 1 }, {}]) send({ method: 'notifications/cancelled', params })
  send({ id: 2, method: 'ping' })
  input.end()
  await relayed
  assert.deepEqual(
    answers.map((line) => JSON.parse(line).id),
    [1, 2],
  )
  assert.equal(await isNoticeAnswered.promise, true)
})

test('an event of several data lines is one message', async () => {
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'a' } }, undefined, 2)
  for (const end of ['\n', '\r\n']) {
    const lines = ['event: message', ...answer.split('\n').map((line) => `data: ${line}`), '', '']
    await using service = await serve((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(lines.join(end))
    })
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    assert.deepEqual(await answersTo([ping], { STAKEWRIGHT_URL: service.url }), [JSON.parse(answer)])
  }
})

test('the path of STAKEWRIGHT_URL is kept: the key is sent to no other path of the host', async () => {
  const reached: unknown[] = []
  await using host = await serve((request, response) => {
    reached.push(request.url)
    request.resume()
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"jsonrpc":"2.0","id":1,"result":{}}')
  })
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  await answersTo([ping], { STAKEWRIGHT_URL: `${host.url}/staking/` })
  assert.deepEqual(reached, ['/staking/mcp'])
})

for (const revision of Object.keys(ERAS) as Revision[]) {
  test(`${revision}: a client that starts the program reaches the tools with the key of the environment`, async () => {
    await using app = await openTestApp()
    const { apiKey } = await admitAgent(app)
    await using stdio = await connect(revision, { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: apiKey })
    const { tools } = await stdio.client.listTools()
    assert(tools.some(({ name }) => name === 'allocate'))
    const [epoch, usage] = await Promise.all([stdio.call('epoch'), stdio.call('usage')])
    assert.match(epoch.text, /^epoch: \d+/)
    assert.match(usage.text, /tier: free/)
  })

  test(`${revision}: a refused key fails the connection; an unreachable service is reported as a tool result`, async () => {
    await using app = await openTestApp()
    const wrong = `stk_${'0'.repeat(46)}`
    await assert.rejects(
      connect(revision, { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: wrong }),
      /401.*not a valid API key/,
    )
    await using stdio = await connect(revision, { STAKEWRIGHT_URL: app.url })
    await app.stop()
    const gone = await stdio.call('epoch')
    assert(gone.isError)
    assert.match(gone.text, /cannot be reached/)
  })
}
