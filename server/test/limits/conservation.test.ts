import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { weighRefusals } from '#adapters/sql/admission/refusals.ts'
import type { Logger } from '#ports/logger.ts'
import { admitAgent, userToken } from '../support/admitted-agent.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openTestApp } from '../support/test-app.ts'
import { readAudit, weightOf } from './read-audit.ts'

const AGENT = '/api/v1/staking/agent'
const IN_FLIGHT = 32

/** Counts the lines of requests in the service's own log: one for each request that has ended. */
function countingLogger() {
  let requests = 0
  const logger: Logger = {
    ...silentLogger,
    info(event, fields) {
      if (event === 'request' && fields?.['route'] !== '/healthz') requests += 1
    },
  }
  return { logger, requests: () => requests }
}

/** Sends all requests, `IN_FLIGHT` at a time. */
async function sendAll(requests: readonly (() => Promise<unknown>)[]): Promise<void> {
  const queue = requests.values()
  const send = async () => {
    for (const request of queue) await request()
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, send))
}

/** Sends one request on its own connection and fails unless it is answered. */
async function exchange(port: number, head: readonly string[]): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  assert.match(await text(socket), /^HTTP\/1\.1 \d/)
}

test('5,000 requests of all kinds: each is in the log once, admitted or refused', async () => {
  await using folder = await tempFolder()
  const { logger, requests } = countingLogger()
  const sent = { counted: 0, exempt: 0 }
  {
    const env = { TRUST_PROXY_HOPS: '1', LIMIT_IP_RPM: '60', LIMIT_GLOBAL_RPM: '4000' }
    await using app = await openTestApp({ env, folder: folder.path, logger })
    const { apiKey } = await admitAgent(app, { rateLimits: { rpm: 300, rpd: 9_000 } })
    const token = await userToken(app, 'ann@example.com')
    const key = `x-api-key: ${apiKey}`
    const kinds = [
      ['GET /api/v1/staking/epoch'],
      [`GET ${AGENT}/usage`, key],
      [`GET ${AGENT}/usage`, 'x-api-key: stk_wrong'],
      [`POST ${AGENT}/allocate`, key, 'content-length: 0'],
      ['GET /api/v1/agents', `authorization: Bearer ${token}`],
      ['GET /api/v1/nowhere'],
      ['GET /healthz'],
      ['PUT /api/v1/staking/epoch'],
      [`GET /api/v1/staking/epoch?${'x'.repeat(9_000)}`],
    ]
    const { port } = new URL(app.url)
    const all = Array.from({ length: 5_000 }, (_, at) => async () => {
      const [line = '', ...headers] = kinds[at % kinds.length] ?? []
      const from = `x-forwarded-for: 10.${at % 3}.${at % 11}.${at % 13}`
      await exchange(Number(port), [`${line} HTTP/1.1`, 'host: x', 'connection: close', from, ...headers])
      sent[line.endsWith('/healthz') ? 'exempt' : 'counted'] += 1
    })
    await sendAll(all)
  }
  const audit = readAudit(folder.path)
  assert.equal(sent.counted + sent.exempt, 5_000)
  // Plus the request that registered the agent.
  assert.equal(weightOf(audit), sent.counted + 1)
  assert.equal(requests(), sent.counted + 1)
  const statuses = new Set([
    ...audit.outcomes.map(([, , status]) => status),
    ...audit.refusals.map(([, , status]) => status),
  ])
  for (const status of [200, 400, 401, 404, 405, 414, 429, 503]) assert(statuses.has(status), `no ${status}`)
  assert.equal(audit.outcomes.length, audit.admitted.length)
  assert.equal(new Set(audit.admitted.map(([ticket]) => ticket)).size, audit.admitted.length)
})

test('a request whose client disconnects at any moment is in the log once', async () => {
  await using folder = await tempFolder()
  const { logger, requests } = countingLogger()
  {
    await using app = await openTestApp({ env: { LIMIT_IP_RPM: '10000' }, folder: folder.path, logger })
    const { apiKey } = await admitAgent(app, { rateLimits: { rpm: 1_000, rpd: 1_000 } })
    const { port } = new URL(app.url)
    const head = `GET ${AGENT}/metadata HTTP/1.1\r\nhost: x\r\nx-api-key: ${apiKey}\r\n\r\n`
    for (let round = 0; round < 200; round += 1) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(head.repeat((round % 3) + 1))
      for (let turn = 0; turn < round % 6; turn += 1) await new Promise(setImmediate)
      if (round % 2 === 0) socket.resetAndDestroy()
      else socket.destroy()
    }
    // Answered after all requests above have arrived.
    await app.client({ apiKey }).usage()
  }
  const audit = readAudit(folder.path)
  assert.equal(weightOf(audit), requests())
  assert.equal(audit.outcomes.length, audit.admitted.length)
})

test('100,000 refusals are counted exactly and take less than a megabyte', async () => {
  const refusals = weighRefusals()
  let bytes = 0
  let weight = 0
  for (let second = 0; second < 60; second += 1) {
    for (let at = 0; at < 1_667; at += 1) {
      const truncatedAddress = `10.${at % 250}.${second}.0`
      refusals.add({
        endpoint: `/api/v1/route/${at % 30}`,
        status: 429,
        at: second * 1_000,
        truncatedAddress,
      })
    }
    const taken = refusals.take()
    bytes += JSON.stringify(taken).length
    weight += taken.reduce((sum, entry) => sum + entry[4], 0)
  }
  assert.equal(weight, 60 * 1_667)
  assert(bytes < 1_000_000, `${bytes} bytes`)
})

test('while the store cannot be written, refusals take bounded memory and all of them are counted', async () => {
  const refusals = weighRefusals()
  let added = 0
  for (let second = 0; second < 20_000; second += 1) {
    for (const route of ['a', 'b', 'c']) {
      refusals.add({
        endpoint: `${route}${second % 40}`,
        status: 503,
        at: second * 1_000,
        truncatedAddress: `${second}`,
      })
      added += 1
    }
    if (second % 100 === 0) refusals.giveBack(refusals.take())
  }
  const taken = refusals.take()
  assert.equal(
    taken.reduce((sum, entry) => sum + entry[4], 0),
    added,
  )
  assert(taken.length < 5_000, `${taken.length} entries`)
})
