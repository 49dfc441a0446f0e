import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Answer, createClient, NotModified, StakewrightError } from '@stakewright/client'
import { openTestApp } from '../../server/test/support/test-app.ts'

const KEY = `stk_${'A'.repeat(46)}`

suite('secrets', () => {
  test('no error quotes a key, a token or a password', () => {
    const baseUrl = 'http://127.0.0.1:9'
    for (const bad of [`${KEY}\nx`, `${KEY}\r\n\r\nx`, `${KEY} x`, `${KEY}é`, `${KEY}€`, `${KEY}\0`]) {
      for (const secret of [{ apiKey: bad }, { token: bad }]) {
        assert.throws(() => createClient({ baseUrl, ...secret }), isTypeErrorWithout(KEY))
      }
    }
    assert.throws(
      () => createClient({ baseUrl: 'http://me:hidden@127.0.0.1:9' }),
      isTypeErrorWithout('hidden'),
    )
  })

  test('white space around a key is dropped', async () => {
    await using app = await openTestApp()
    const { data } = await app.client().sandboxKey({ agentName: 'x' })
    assert.equal((await app.client({ apiKey: `\t${data.apiKey}\r\n` }).usage()).tier, 'builder')
    await assert.rejects(app.client({ apiKey: ' \n' }).usage(), { code: 'unauthorized' })
  })
})

test('a path parameter such as ".." never leads to another path', async () => {
  await using app = await openTestApp()
  for (const id of ['..', '.', '../', '%2e%2e', ''])
    await assert.rejects(app.client().validatorApyHistory({ id }), StakewrightError)
})

/** Values as JavaScript may pass them: the types of TypeScript refuse only some. */
const BAD_OPTIONS = [
  ...[0, -1, Number.NaN, Infinity, 2 ** 31].map((timeoutMs) => ({ timeoutMs })),
  ...[-1, Number.NaN].map((retries) => ({ retries })),
  ...['', 'a b', 'a\nb', 'ä', '😀', 'x'.repeat(65)].map((idempotencyKey) => ({ idempotencyKey })),
]

test('an option that can only fail, or a missing id, is refused with what to pass, before anything is sent', async () => {
  let sent = 0
  const fetch = async () => {
    sent += 1
    return new Response('{}')
  }
  const settings = { baseUrl: 'http://127.0.0.1:9', fetch }
  const client = createClient(settings)
  const refused = (name: string) => (error: unknown) =>
    error instanceof StakewrightError &&
    error.code === 'invalid_input' &&
    error.message.startsWith(`Nothing was sent: ${name} must be `) &&
    error.fix?.endsWith(` as ${name}.`) === true &&
    !error.retryable
  const stake = { validatorId: '0x1', amount: '1' }
  for (const bad of BAD_OPTIONS) {
    const [name = ''] = Object.keys(bad)
    await assert.rejects(client.buildStake(stake, bad), refused(name), JSON.stringify(bad))
    if (name !== 'idempotencyKey') assert.throws(() => createClient({ ...settings, ...bad }), refused(name))
  }
  for (const maxRetryWaitMs of [-1, Number.NaN, Infinity])
    assert.throws(() => createClient({ ...settings, maxRetryWaitMs }), refused('maxRetryWaitMs'))
  // As JavaScript calls it, without the types.
  const calls = client as unknown as Record<string, (input?: unknown) => Promise<unknown>>
  for (const input of [{}, undefined, null, { id: null }, 'agt_1'])
    await assert.rejects(async () => calls['revokeAgent']?.(input), refused('id'))
  assert.equal(sent, 0)
  await client.buildStake(stake, { timeoutMs: 0.5, retries: 0, idempotencyKey: 'order-7' })
  assert.equal(sent, 1)
})

suite('304', () => {
  test('a call with a hash throws NotModified while the answer has that hash', async () => {
    await using app = await openTestApp()
    const client = app.client()
    const { hash } = await client.validators()
    const error = await client.validators({ hash }).catch((reason: unknown) => reason)
    assert(error instanceof NotModified && error instanceof StakewrightError)
    assert.deepEqual([error.code, error.status, error.retryable], ['not_modified', 304, false])
    assert.equal((await client.validators({ hash: 'another' })).hash, hash)
  })

  test('a call with a hash never gets the cached answer of another version', async () => {
    const answers = [
      new Response('{"hash":"old"}', { headers: { etag: '"old"' } }),
      new Response(null, { status: 304 }),
    ]
    const fetch = async () => answers.shift() ?? Response.error()
    const client = createClient({ baseUrl: 'http://stake.example', fetch })
    assert.equal((await client.validators({ hash: 'new' })).hash, 'old')
    await assert.rejects(client.validators({ hash: 'new' }), NotModified)
  })

  test('an unchanged answer costs a 304 and comes from the cache', async () => {
    await using app = await openTestApp()
    const statuses: number[] = []
    const client = app.client({ onAnswer: ({ status }) => statuses.push(status) })
    const first = await client.validators()
    assert.deepEqual(await client.validators(), first)
    assert.deepEqual(statuses, [200, 304])
  })
})

suite('onAnswer', () => {
  test('of many concurrent calls, each gets its own answer’s metadata, and the client gets all', async () => {
    await using app = await openTestApp()
    const { data } = await app.client().sandboxKey({ agentName: 'scout' })
    const all: Answer[] = []
    const client = app.client({ apiKey: data.apiKey, onAnswer: (answer) => all.push(answer) })
    const usages = Array.from({ length: 5 }, async () => {
      const told: Answer[] = []
      const { used } = await client.usage({}, { onAnswer: (answer) => told.push(answer) })
      assert.deepEqual(
        told.map(({ endpoint, status, rateLimit }) => [endpoint, status, rateLimit?.remainingMinute]),
        [['usage', 200, data.rateLimits.rpm - used.rpm]],
      )
      return told[0]?.requestId
    })
    const ids = await Promise.all(usages)
    assert.equal(new Set(ids).size, 5)
    assert.deepEqual(new Set(all.map(({ requestId }) => requestId)), new Set(ids))
  })

  test('refusals and the answers of every attempt are reported, too', async () => {
    const answers = [
      Response.json({}, { status: 503, headers: { 'retry-after': '0' } }),
      Response.json({}, { status: 403 }),
    ]
    const statuses: number[] = []
    const client = createClient({
      baseUrl: 'http://stake.example',
      fetch: async () => answers.shift() ?? Response.error(),
    })
    await assert.rejects(client.epoch({}, { onAnswer: ({ status }) => statuses.push(status) }), {
      status: 403,
    })
    assert.deepEqual(statuses, [503, 403])
  })
})

const isTypeErrorWithout = (secret: string) => (error: unknown) =>
  error instanceof TypeError && !`${error.message}${error.stack}`.includes(secret)

suite('proxies', () => {
  const answering = (response: () => Response, retries = 0) => {
    let asked = 0
    const fetch = async () => {
      asked += 1
      return response()
    }
    const client = createClient({ baseUrl: 'http://stake.example', fetch, retries })
    return { client, asked: () => asked }
  }

  test('an error answer without the service’s error body gets its code from the status', async () => {
    for (const [status, code] of [
      [401, 'unauthorized'],
      [403, 'forbidden'],
      [404, 'not_found'],
      [429, 'rate_limited'],
      [500, 'internal_error'],
      [502, 'internal_error'],
      [504, 'timeout'],
    ] as const) {
      const { client } = answering(() => new Response('<h1>nginx</h1>', { status }))
      await assert.rejects(client.epoch({}), { code, status })
    }
  })

  test('a redirect is neither followed nor retried, and the error names its target', async () => {
    const headers = { location: 'https://stake.example/api/v1/staking/epoch' }
    const { client, asked } = answering(() => new Response(null, { status: 308, headers }), 2)
    const message = 'http://stake.example redirects to https://stake.example, which is not followed.'
    await assert.rejects(client.epoch({}), { code: 'unreachable', message, retryable: false })
    assert.equal(asked(), 1)
  })
})

test('an amount may be a bigint', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'x' })
  const amount: unknown = 9_000_000_000_000n
  const { allocations } = await app.client({ apiKey: data.apiKey }).allocate({ amount: amount as string })
  assert.equal(
    allocations.reduce((sum, part) => sum + BigInt(part.amount), 0n),
    amount,
  )
})
