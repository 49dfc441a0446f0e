import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import {
  ecKey,
  type KeyServer,
  openKeyServer,
  type SigningKey,
  sendJson,
  signToken,
} from '../../../test/support/services/oidc-issuer.ts'
import { silentLogger } from '../../../test/support/silent-logger.ts'
import { testClock } from '../../../test/support/test-clock.ts'
import { openUserTokens } from './user-tokens.ts'

const ISSUER = 'https://login.example.com'
const OLD = ecKey('old')
const NEW = ecKey('new')
const SECOND = 1_000
const HOUR = 3_600 * SECOND
const UNAVAILABLE = { name: 'Fault', code: 'store_not_ready' }

function openTokens(keys: KeyServer, timeoutMs = 10_000) {
  const clock = testClock()
  const tokens = openUserTokens({
    secret: 'a secret of at least thirty-two characters',
    issuer: 'stakewright',
    audience: 'stakewright',
    external: { jwksUrl: keys.url, issuer: ISSUER, audience: 'stakewright' },
    adminEmails: new Set(),
    clock,
    logger: silentLogger,
    timeoutMs,
  })
  const sign = (key: SigningKey) => {
    const iat = Math.floor(clock.now() / 1000)
    return signToken(key, { iss: ISSUER, sub: 'user-1', aud: 'stakewright', iat, exp: iat + 600 })
  }
  const { verify } = tokens
  /** Whether a token that this key has just signed is accepted. */
  const accepts = async (key: SigningKey) => (await verify(sign(key))) !== undefined
  return {
    clock,
    sign,
    verify,
    accepts,
    refresh: tokens.refreshKeys,
    [Symbol.asyncDispose]: tokens[Symbol.asyncDispose],
  }
}

const hang: RequestListener = () => {}

/** A valid key set, which the broken answers below deliver with a wrong status, size or redirect. */
const KEY_SET = JSON.stringify({ keys: [{ ...NEW.publicKey.export({ format: 'jwk' }), kid: 'new' }] })

const BROKEN: Readonly<Record<string, RequestListener>> = {
  'an error': (_request, response) => response.writeHead(500).end(KEY_SET),
  'not found': (_request, response) => response.writeHead(404).end(KEY_SET),
  'a cut line': (request) => request.socket.destroy(),
  'a cut answer': (request, response) => {
    response.write('{"keys":[')
    setImmediate(() => request.socket.destroy())
  },
  'no JSON': (_request, response) => response.end('<html>maintenance</html>'),
  'an empty answer': (_request, response) => response.end(),
  'another JSON': (_request, response) => sendJson(response, { error: 'later' }),
  'a list': (_request, response) => sendJson(response, []),
  'no keys': (_request, response) => sendJson(response, { keys: [] }),
  'keys that are none': (_request, response) => sendJson(response, { keys: [null, 1, 'x', {}] }),
  'a shared secret': (_request, response) =>
    sendJson(response, { keys: [{ kty: 'oct', k: 'AAAA', kid: 'old' }] }),
  'too much': (_request, response) => response.end(`${KEY_SET}${' '.repeat(300_000)}`),
  'a redirect': (request, response) =>
    request.url === '/keys' ? response.writeHead(302, { location: '/moved' }).end() : response.end(KEY_SET),
}

for (const [name, answer] of Object.entries(BROKEN)) {
  test(`the issuer gives ${name}: known keys stay valid for a day, unknown ones are 503`, async () => {
    await using keys = await openKeyServer([OLD])
    await using tokens = openTokens(keys)
    await tokens.refresh()
    keys.serve(answer)
    tokens.clock.advance(10 * 60 * SECOND)
    await tokens.refresh()
    assert.equal(await tokens.accepts(OLD), true)
    await assert.rejects(tokens.accepts(NEW), UNAVAILABLE)
    tokens.clock.advance(24 * HOUR - 10 * 60 * SECOND)
    assert.equal(await tokens.accepts(OLD), true)
    tokens.clock.advance(1)
    await assert.rejects(tokens.accepts(OLD), UNAVAILABLE)
  })
}

test('an issuer that hangs: known keys are valid, unknown ones are 503 after the timeout', async () => {
  await using keys = await openKeyServer([OLD])
  await using tokens = openTokens(keys, 20)
  await tokens.refresh()
  keys.serve(hang)
  tokens.clock.advance(31 * SECOND)
  await assert.rejects(tokens.accepts(NEW), UNAVAILABLE)
  assert.equal(await tokens.accepts(OLD), true)
})

test('an issuer that is down at the start: 503 until its keys can be fetched, then tokens are accepted', async () => {
  await using keys = await openKeyServer([OLD])
  await using tokens = openTokens(keys)
  keys.serve((request) => request.socket.destroy())
  await tokens.refresh()
  await assert.rejects(tokens.accepts(OLD), UNAVAILABLE)
  keys.serve([OLD])
  await assert.rejects(tokens.accepts(OLD), UNAVAILABLE)
  tokens.clock.advance(30 * SECOND)
  assert.equal(await tokens.accepts(OLD), true)
})

test('the first token is accepted although no keys were fetched before', async () => {
  await using keys = await openKeyServer([OLD])
  await using tokens = openTokens(keys)
  assert.equal(await tokens.accepts(OLD), true)
})

test('a token signed by a key that cannot be imported is invalid', async () => {
  await using keys = await openKeyServer([OLD])
  await using tokens = openTokens(keys)
  const jwk = { ...OLD.publicKey.export({ format: 'jwk' }), kid: 'old' }
  keys.serve((_request, response) => sendJson(response, { keys: [{ ...jwk, x: 'AAAA' }] }))
  await tokens.refresh()
  assert.equal(await tokens.accepts(OLD), false)
})

test('an unexpected error is thrown, not reported as an invalid token', async () => {
  await using keys = await openKeyServer([OLD])
  await using tokens = openTokens(keys)
  await tokens.refresh()
  const token = tokens.sign(OLD)
  tokens.clock.now = () => {
    throw new TypeError('a bug')
  }
  await assert.rejects(tokens.verify(token), TypeError)
})

test('rotation with overlap: both keys are accepted after the next refresh', async () => {
  await using keys = await openKeyServer([OLD])
  await using tokens = openTokens(keys)
  await tokens.refresh()
  keys.serve([OLD, NEW])
  tokens.clock.advance(300 * SECOND)
  await tokens.refresh()
  assert.equal(await tokens.accepts(OLD), true)
  assert.equal(await tokens.accepts(NEW), true)
  assert.equal(keys.fetches(), 2)
})

test('rotation without overlap: after at most 30 s the new key is accepted and the old one is not', async () => {
  await using keys = await openKeyServer([OLD])
  await using tokens = openTokens(keys)
  await tokens.refresh()
  keys.serve([NEW])
  assert.equal(await tokens.accepts(NEW), false)
  tokens.clock.advance(30 * SECOND - 1)
  assert.equal(await tokens.accepts(NEW), false)
  tokens.clock.advance(1)
  assert.equal(await tokens.accepts(NEW), true)
  assert.equal(await tokens.accepts(OLD), false)
})

test('a clock that was set back does not delay the fetch of a new key', async () => {
  await using keys = await openKeyServer([OLD])
  await using tokens = openTokens(keys)
  await tokens.refresh()
  keys.serve([NEW])
  tokens.clock.advance(-2 * HOUR)
  assert.equal(await tokens.accepts(NEW), true)
})

test('a clock that was set back does not delay the fetch of a key that was missed before', async () => {
  await using keys = await openKeyServer([OLD])
  await using tokens = openTokens(keys)
  await tokens.refresh()
  for (const pause of [0, 30, 60, 120]) {
    tokens.clock.advance(pause * SECOND)
    assert.equal(await tokens.accepts(NEW), false)
  }
  keys.serve([NEW])
  tokens.clock.advance(-2 * HOUR)
  assert.equal(await tokens.accepts(NEW), true)
})

test('150 tokens with unknown key ids cause one fetch per 30 s', async () => {
  await using keys = await openKeyServer([OLD])
  await using tokens = openTokens(keys)
  await tokens.refresh()
  const strangers = Array.from({ length: 50 }, (_, index) => ({ ...NEW, kid: `stranger-${index}` }))
  for (const round of [1, 2, 3]) {
    tokens.clock.advance(30 * SECOND)
    const answers = await Promise.all(
      strangers.map((key) => tokens.accepts({ ...key, kid: `${key.kid}-${round}` })),
    )
    assert(answers.every((accepted) => !accepted))
    assert.equal(keys.fetches(), 1 + round)
  }
})

test('fetches for the same unknown key id become rarer (exponential backoff)', async () => {
  await using keys = await openKeyServer([OLD])
  await using tokens = openTokens(keys)
  await tokens.refresh()
  for (let second = 0; second < 600; second += 5) {
    tokens.clock.advance(5 * SECOND)
    assert.equal(await tokens.accepts(NEW), false)
  }
  assert(keys.fetches() <= 6, `${keys.fetches()} fetches in ten minutes`)
})

test('closing aborts a fetch that hangs', async () => {
  await using keys = await openKeyServer([OLD])
  const asked = Promise.withResolvers<void>()
  keys.serve((request) => {
    asked.resolve()
    request.socket.on('close', () => closed.resolve())
  })
  const closed = Promise.withResolvers<void>()
  const tokens = openTokens(keys)
  const refreshing = tokens.refresh()
  await asked.promise
  await tokens[Symbol.asyncDispose]()
  await refreshing
  await closed.promise
})
