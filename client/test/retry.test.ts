import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { suite, test } from 'node:test'
import { type Client, type ClientOptions, createClient, StakewrightError } from '@stakewright/client'
import fc from 'fast-check'
import { retryDelayMs } from '../src/retry.ts'

type Planned = { readonly status: number; readonly body?: object; readonly headers?: Record<string, string> }

const BUSY = { error: 'store_not_ready', message: 'Not yet.', status: 503, requestId: 'r' }
const SOON = { 'retry-after': '0' }

/** A client whose calls get these answers in order; `fetch` throws an Error among them. */
function clientWith(answers: readonly (Planned | Error)[], options: Partial<ClientOptions> = {}) {
  const calls: string[] = []
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const answer = answers[calls.length]
    calls.push(`${init?.method} ${new URL(String(url)).pathname}`)
    if (answer === undefined) throw new Error('nothing more is planned')
    if (answer instanceof Error) throw answer
    const { status, body = {}, headers = {} } = answer
    return new Response(JSON.stringify(body), { status, headers })
  }
  const client = createClient({
    baseUrl: 'http://stake.example',
    apiKey: 'stk_x',
    fetch,
    random: () => 0,
    ...options,
  })
  return { client, calls }
}

suite('retries', () => {
  test('a call that changes nothing is retried after no answer and after a gateway error', async () => {
    const failures = [new TypeError('fetch failed'), { status: 502 }]
    const { client, calls } = clientWith([...failures, { status: 200, body: { epoch: 7 } }])
    assert.equal((await client.epoch()).epoch, 7)
    assert.equal(calls.length, 3)
  })

  test('any call is retried when the service says that it was not done', async () => {
    for (const status of [429, 503]) {
      const refused = { status, body: { ...BUSY, status, retryable: true }, headers: SOON }
      const { client, calls } = clientWith([refused, { status: 201, body: { success: true } }])
      await client.selfRegister({ email: 'a@example.com', agentName: 'x' })
      assert.equal(calls.length, 2)
    }
  })

  test('a call that may have changed something is not retried', async () => {
    for (const failure of [
      new TypeError('fetch failed'),
      { status: 502 },
      { status: 503, headers: SOON },
      { status: 503, body: BUSY, headers: SOON },
      { status: 503, body: { ...BUSY, retryable: false }, headers: SOON },
    ]) {
      const { client, calls } = clientWith([failure])
      await assert.rejects(client.sandboxAdvance(), { name: 'StakewrightError', retryable: false })
      assert.equal(calls.length, 1)
    }
  })

  test('a call that is safe to repeat is retried even if its outcome is unknown', async () => {
    for (const repeat of [
      (client: Client) => client.allocate({ amount: '1' }),
      (client: Client) => client.revokeAgent({ id: 'x' }),
    ]) {
      const unknown = { status: 503, body: { ...BUSY, retryable: false }, headers: SOON }
      const { client, calls } = clientWith([unknown, { status: 200 }])
      await repeat(client)
      assert.equal(calls.length, 2)
    }
  })

  test('any call is retried after a 429, even after one of a proxy without an error body', async () => {
    const { client, calls } = clientWith([{ status: 429, headers: SOON }, { status: 200 }])
    await client.sandboxKey({ agentName: 'x' })
    assert.equal(calls.length, 2)
  })

  test('a build is retried only with an idempotency key: without one it could reserve twice', async () => {
    const keys: (string | null)[] = []
    const lost = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'))
    const fetch = (_: unknown, init?: RequestInit) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'))
      return lost()
    }
    const { client } = clientWith([], { fetch, maxRetryWaitMs: 0 })
    const input = { validatorId: '0x1', amount: '1000000000' }
    const items = [{ action: 'stake', ...input }] as const
    await assert.rejects(client.buildStake(input), { code: 'unreachable' })
    await assert.rejects(client.buildBatch({ items }), { code: 'unreachable' })
    await assert.rejects(client.buildUnstake({ stakedTokenId: '0x1' }), { code: 'unreachable' })
    await assert.rejects(client.buildWithdraw({ stakedTokenId: '0x1' }), { code: 'unreachable' })
    assert.deepEqual(keys, [null, null, null, null])
    await assert.rejects(client.buildStake(input, { idempotencyKey: 'one' }), { code: 'unreachable' })
    assert.deepEqual(keys.slice(4), ['one', 'one', 'one'])
  })

  test('a call that returns an API key is never retried: a repeat does not show the key', async () => {
    const { client, calls } = clientWith([new TypeError('fetch failed')])
    const named = { idempotencyKey: 'one' }
    await assert.rejects(client.registerAgent({ agentName: 'x' }, named), { code: 'unreachable' })
    assert.equal(calls.length, 1)
  })

  test('a refusal that will be the same next time is not retried', async () => {
    for (const status of [400, 401, 403, 404, 500]) {
      const { client, calls } = clientWith([{ status }])
      await assert.rejects(client.epoch(), { status })
      assert.equal(calls.length, 1)
    }
  })

  test('a call is not retried if the service asks for a longer wait than maxRetryWaitMs', async () => {
    const refused = { status: 429, body: { ...BUSY, retryAfterSeconds: 6 }, headers: { 'retry-after': '6' } }
    const { client, calls } = clientWith([refused])
    await assert.rejects(client.epoch(), { retryAfterSeconds: 6 })
    assert.equal(calls.length, 1)
  })

  test('every wait is as long as the service asks for, and no longer than maxRetryWaitMs', () => {
    const seconds = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined })
    const most = fc.integer({ min: 0, max: 8 }).map((halves) => halves * 500)
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(seconds, most, random, fc.nat(4), (retryAfterSeconds, maxWaitMs, value, attempt) => {
        const asked = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
        const error = new StakewrightError('rate_limited', 'No.', { ...asked, retryable: true })
        const delayMs = retryDelayMs(error, attempt, { retries: 9, maxWaitMs, random: () => value })
        const leastMs = (retryAfterSeconds ?? 0) * 1_000
        if (leastMs > maxWaitMs) assert.equal(delayMs, undefined)
        else assert(delayMs !== undefined && leastMs <= delayMs && delayMs <= maxWaitMs, `${delayMs}`)
      }),
    )
  })

  test('a call is retried at most as often as configured', async () => {
    const down = Array.from({ length: 9 }, () => ({ status: 503, body: BUSY, headers: SOON }))
    for (const [options, tries] of [
      [{}, 3],
      [{ retries: 0 }, 1],
      [{ retries: 1 }, 2],
    ] as const) {
      const { client, calls } = clientWith(down, options)
      await assert.rejects(client.epoch(), { code: 'store_not_ready' })
      assert.equal(calls.length, tries)
    }
    const { client, calls } = clientWith(down)
    await assert.rejects(client.epoch({}, { retries: 0 }), { code: 'store_not_ready' })
    assert.equal(calls.length, 1)
  })
})

suite('the end of a call', () => {
  test('the caller’s signal ends a call, also between two attempts, with the signal’s reason', async () => {
    const reason = new Error('the user left')
    const aborting = new AbortController()
    const { client, calls } = clientWith([{ status: 503, body: BUSY, headers: { 'retry-after': '5' } }])
    const pending = client.epoch({}, { signal: aborting.signal })
    queueMicrotask(() => setImmediate(() => aborting.abort(reason)))
    await assert.rejects(pending, reason)
    assert.equal(calls.length, 1)
  })

  test('the timeout ends a call, and the message says so', async () => {
    await using server = await silentServer()
    const client = createClient({ baseUrl: server.url, timeoutMs: 20, retries: 0 })
    await assert.rejects(client.epoch(), { code: 'unreachable', message: /none came within 20 ms/ })
  })

  test('a signal that was aborted before the call ends it at once', async () => {
    await using server = await silentServer()
    const client = createClient({ baseUrl: server.url })
    await assert.rejects(client.epoch({}, { signal: AbortSignal.abort() }), { name: 'AbortError' })
  })
})

suite('errors', () => {
  test('an error without an answer says why there was none', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1' })
    await assert.rejects(client.epoch(), {
      code: 'unreachable',
      message: /this port belongs to another protocol/,
      retryable: false,
    })
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' })
    const both = new TypeError('fetch failed', { cause: new AggregateError([refused], '') })
    const { client: other } = clientWith([both], { retries: 0 })
    await assert.rejects(other.epoch(), {
      message: 'No answer from http://stake.example: connect ECONNREFUSED 127.0.0.1:9.',
      cause: both,
    })
  })

  test('an error repeats what the service said: code, request id, fix and the next call', async () => {
    const body = {
      error: 'forbidden',
      message: 'No.',
      status: 403,
      requestId: 'r1',
      fix: 'Ask for a builder key.',
      next: { method: 'POST', path: '/api/v1/sandbox/keys' },
    }
    const { client } = clientWith([{ status: 403, body }])
    const { error: code, ...rest } = body
    await assert.rejects(client.epoch(), { ...rest, code, retryable: false })
  })

  test('an answer that is not JSON is an error, and so is an address without a scheme', async () => {
    const fetch = async () => new Response('<html>', { status: 200 })
    const { client } = clientWith([], { fetch })
    await assert.rejects(client.epoch(), { code: 'internal_error', message: /not JSON/ })
    assert.throws(() => createClient({ baseUrl: 'localhost:3000' }), TypeError)
  })

  test('a Retry-After header with a date becomes retryAfterSeconds', async () => {
    const date = { date: 'Sun, 01 Feb 2026 10:00:00 GMT', 'retry-after': 'Sun, 01 Feb 2026 10:01:30 GMT' }
    const { client } = clientWith([{ status: 503, headers: date }])
    await assert.rejects(client.epoch(), { retryAfterSeconds: 90 })
    // Without the time of the answer a date says no duration.
    const { client: other } = clientWith([{ status: 503, headers: { 'retry-after': date['retry-after'] } }])
    await assert.rejects(other.epoch({}, { retries: 0 }), { status: 503, retryAfterSeconds: undefined })
  })
})

/** A server that accepts connections and never answers. */
async function silentServer() {
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
