import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { ADMIN } from '../support/builder-agent.ts'
import { sendRaw } from '../support/raw-request.ts'
import { mailedCode, mailedToken, registerAgent, signIn } from '../support/registered-agent.ts'
import { appCode } from '../support/services/authenticator.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { placesOf, readFolder, recordLog, type Written } from './everything-written.ts'

const ANN = 'ann@example.com'
const MAIL = /^outbox\/.*\.eml$/

/** Sends the secret in every part of requests that are refused; returns the answers. */
async function failWith({ url }: TestApp, secret: string): Promise<readonly Written[]> {
  const attempts: readonly (readonly [string, readonly string[], unknown?])[] = [
    ['GET /api/v1/agents', ['X-API-Key', `${secret}x`]],
    ['GET /api/v1/agents', ['Authorization', `Basic ${secret}`]],
    ['GET /api/v1/staking/agent/metadata', ['Authorization', `Bearer ${secret}x`]],
    ['GET /api/v1/staking/agent/metadata', ['X-API-Key', secret, 'Authorization', 'Bearer x']],
    ['GET /api/v1/staking/agent/metadata', ['X-API-Key', secret, 'X-API-Key', secret]],
    [`GET /api/v1/agents/verify?token=${secret}x`, []],
    [`GET /api/v1/nowhere/${secret}?key=${secret}`, []],
    [`GET /api/v1/staking/validators/${secret}`, ['Referer', `http://x/?token=${secret}`]],
    [`PUT /api/v1/agents/${secret}`, ['User-Agent', secret]],
    ['POST /api/v1/auth/token', [], { email: ANN, code: secret }],
    ['POST /api/v1/agents/self-register', [], { email: secret, agentName: 1, walletAddress: secret }],
    ['POST /api/v1/agents/self-register', [], { email: [secret], agentName: ` ${secret} `.repeat(40) }],
    [`GET /api/v1/staking/epoch?${secret}=1`, []],
    [`GET /openapi.json?${secret}=1`, []],
    [`GET /llms.txt?${secret}=1`, []],
    ['POST /api/v1/sandbox/keys', [], { agentName: 'x', [secret]: 1 }],
    ['POST /api/v1/sandbox/keys', [], { [secret]: 2 ** 60 }],
    ['POST /api/v1/auth/token', [], { email: ANN, code: '1', wallet: { [secret]: 1 } }],
    ['POST /api/v1/sandbox/execute', [], { sender: ` ${secret}`, commands: [secret] }],
  ]
  const answers: Written[] = []
  for (const [target, headers, json] of attempts) {
    const answer = await sendRaw(url, target, { headers, json })
    assert(answer.status >= 400, target)
    answers.push({ place: `answer to ${target}`, bytes: Buffer.from(answer.text) })
  }
  const mcp: readonly (readonly [string, object, (readonly string[])?])[] = [
    ['tools/call', { name: secret, arguments: {} }],
    ['tools/call', { name: 'allocate', arguments: { amount: '1', [secret]: 1 } }],
    ['tools/call', { name: 'epoch', arguments: { [secret]: 1 } }],
    ['resources/read', { uri: secret }],
    ['resources/read', { uri: `stakewright://${secret}` }],
    ['prompts/get', { name: secret }],
    ['prompts/get', { name: 'stake-an-amount', arguments: { amount: '1', [secret]: '1' } }],
    [secret, {}],
    ['tools/list', { cursor: secret }],
    ['tools/list', {}, ['MCP-Protocol-Version', secret]],
    ['tools/list', {}, ['Mcp-Method', secret, 'MCP-Protocol-Version', '2026-07-28']],
    ['tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': secret } }],
    ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { [secret]: secret } }],
  ]
  for (const [method, params, headers = []] of mcp) {
    const json = { jsonrpc: '2.0', id: 1, method, params }
    const accept = ['Accept', 'application/json, text/event-stream', ...headers]
    const { text } = await sendRaw(url, 'POST /mcp', { headers: accept, json })
    assert.match(text, /"error":|"isError":true/, method)
    answers.push({ place: `answer to ${JSON.stringify(json)}`, bytes: Buffer.from(text) })
  }
  answers.push({ place: 'answer to garbage', bytes: await sendGarbage(url, secret) })
  return answers
}

/** Sends a malformed request that has the secret in it. */
async function sendGarbage(url: string, secret: string): Promise<Buffer> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`GET /?token=${secret} HTTP/7.7\r\nX-API-Key: ${secret}\r\n\r\n`)
  const answer = await buffer(socket)
  assert.match(answer.toString(), /^HTTP\/1\.1 4/)
  return answer
}

/** A sign-in code whose six digits do not occur in any file by chance. */
async function uncommonCode(app: TestApp): Promise<{ readonly email: string; readonly code: string }> {
  const before = await readFolder(app.folder)
  for (let attempt = 0; ; attempt += 1) {
    const email = `user${attempt}@example.com`
    await app.client().requestCode({ email })
    const code = await mailedCode(app, email)
    if (placesOf(code, before).length === 0) return { email, code }
  }
}

test('no key, token, code or secret is written anywhere except its own answer, mail or file', async () => {
  const log = recordLog()
  await using app = await openTestApp({
    logger: log.logger,
    env: { ...ADMIN, LIMIT_REGISTER_IP_HOUR: '50', LIMIT_IP_RPM: '1000' },
  })
  const pending = await registerAgent(app, { email: ANN, isVerified: false })
  const link = await mailedToken(app, ANN)
  await assert.rejects(app.client({ apiKey: pending.apiKey }).metadata())
  await app.client().verifyEmail({ token: link })
  await fetch(`${app.url}/verify?token=${link}`)
  await app.client({ apiKey: pending.apiKey }).metadata()

  const { email, code } = await uncommonCode(app)
  const jwt = (await app.client().exchangeCode({ email, code })).data.accessToken
  const user = app.client({ token: jwt })
  const registered = (await user.registerAgent({ agentName: 'x' })).data
  const rotated = (await user.rotateKey({ id: registered.id, gracePeriodSeconds: 60 })).data
  await user.revokeAgent({ id: registered.id })

  const root = app.client({ token: await signIn(app, 'root@example.com') })
  const { secret: appSecret } = (await root.enrolTotp()).data
  const { recoveryCodes } = (await root.confirmTotp({ code: appCode(appSecret, app.clock.now()) })).data

  const keys = [pending.apiKey, registered.apiKey, rotated.apiKey, appSecret, recoveryCodes[0] ?? '']
  const answers: Written[] = []
  for (const secret of [...keys, link, code, jwt]) answers.push(...(await failWith(app, secret)))
  const files = await readFolder(app.folder)
  const written = [...files, ...answers, log.written()]

  assert(files.some(({ place }) => place.endsWith('-wal')) && placesOf(ANN, files).length > 0)
  assert(log.written().bytes.length > 10_000)
  for (const secret of [...keys, jwt, jwt.split('.')[2] ?? ''])
    assert.deepEqual(placesOf(secret, written), [])
  for (const secret of [link, code]) {
    const places = placesOf(secret, written)
    assert.equal(places.length, 1, places.join())
    assert.match(places[0] ?? '', MAIL)
  }
  for (const name of ['key-pepper', 'jwt-secret']) {
    const secret = (await readFile(join(app.folder, name), 'utf8')).trim()
    assert.deepEqual(placesOf(secret, written), [name])
  }
})

test('400: a public agent name that is a key, a token or the private key of a wallet is refused', async () => {
  await using app = await openTestApp()
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'x' })).data
  const jwt = await signIn(app, ANN)
  const wallet = 'suiprivkey1qzdlfxn2qa2lj5uprl8pyhexs02sg2wrhdy7qaq50cqgnffw4c2477kg9h3'
  for (const secret of [apiKey, jwt.slice(0, 60).replace(/\.?$/, '.x.y').slice(0, 64), wallet.slice(0, 64)]) {
    const refused = app.client().sandboxKey({ agentName: secret })
    await assert.rejects(refused, { code: 'invalid_input' })
    await assert.rejects(refused, ({ message }: Error) => !message.includes(secret))
  }
})

test('the search of these tests finds a text that is in the database or in the log', async () => {
  const log = recordLog()
  await using app = await openTestApp({ logger: log.logger })
  const agentName = 'stands-in-the-database'
  const { id } = await registerAgent(app, { email: ANN, agentName })
  const places = placesOf(agentName, await readFolder(app.folder))
  assert(places.length > 0 && places.every((place) => place.startsWith('stakewright.db')), places.join())
  assert.deepEqual(placesOf(id, [log.written()]), ['log'])
})
