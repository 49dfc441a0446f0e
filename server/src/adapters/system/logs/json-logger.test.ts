import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LogFields } from '#ports/logger.ts'
import { anyText } from '../../../../../test/any-text.ts'
import { type JsonLoggerOptions, jsonLogger } from './json-logger.ts'

const API_KEY = `stk_${'aB3'.repeat(15)}z`
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
const LINK_TOKEN = '0123456789abcdef'.repeat(4)

function capture(level: JsonLoggerOptions['level'] = 'debug') {
  const written: string[] = []
  const logger = jsonLogger({ level, output: { write: (line) => void written.push(line) } })
  return { logger, written, only: () => JSON.parse(written.join('')) as Record<string, unknown> }
}

test('an event is one line of JSON with its level, its time and its fields', () => {
  const log = capture()
  log.logger.info('request', { status: 200, route: '/api', cached: true, agentId: null, unset: undefined })
  assert.equal(log.written.length, 1)
  const { time, ...rest } = log.only()
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(rest, {
    level: 'info',
    event: 'request',
    status: 200,
    route: '/api',
    cached: true,
    agentId: null,
  })
})

test('a hash with the prefix sha256: is logged; a bare one is hidden like a token', () => {
  const log = capture()
  log.logger.info('audit checkpoint', { root: `sha256:${LINK_TOKEN}`, bare: LINK_TOKEN })
  const { root, bare } = log.only()
  assert.deepEqual([root, bare], [`sha256:${LINK_TOKEN}`, '[token]'])
})

test('events below the level are not written', () => {
  const log = capture('warn')
  log.logger.debug('a')
  log.logger.info('b')
  log.logger.warn('c')
  log.logger.error('d', new Error('e'))
  assert.deepEqual(
    log.written.map((line) => JSON.parse(line).event),
    ['c', 'd'],
  )
})

test('an error is logged with its name, message, code, stack and the message of its cause, and nothing else', () => {
  const log = capture()
  const cause = Object.assign(new Error('socket closed'), {
    request: { headers: { authorization: 'hunter2' } },
  })
  const error = Object.assign(new TypeError('no answer', { cause }), { code: 'E_GONE', body: 'hunter2' })
  log.logger.error('job failed', error, { job: 'refresh' })
  const { time: _time, errorStack, ...rest } = log.only()
  assert.match(String(errorStack), /no answer\n +at /)
  assert.deepEqual(rest, {
    level: 'error',
    event: 'job failed',
    job: 'refresh',
    errorName: 'TypeError',
    errorMessage: 'no answer',
    errorCode: 'E_GONE',
    errorCause: 'socket closed',
  })
  assert.doesNotMatch(log.written.join(), /hunter2/)
})

test('any thrown value can be logged', () => {
  for (const thrown of ['text', 7, null, undefined, Object.create(null), () => 1, Symbol('x')]) {
    const log = capture()
    log.logger.error('failed', thrown)
    assert.equal(typeof log.only()['errorMessage'], 'string')
  }
})

test('an object in a field is not logged, even if a cast bypassed the types', () => {
  const log = capture()
  const evaded: unknown = { headers: { authorization: 'hunter2' }, list: ['hunter2'] }
  log.logger.info('request', evaded as LogFields)
  assert.doesNotMatch(log.written.join(), /hunter2/)
})

for (const [kind, secret] of Object.entries({ 'API key': API_KEY, JWT, 'link token': LINK_TOKEN })) {
  test(`a text in the form of a ${kind} never reaches the log, from any field or error`, () => {
    const log = capture()
    log.logger.info('request', {
      url: `/verify?token=${secret}&x=1`,
      alone: secret,
      quoted: `"${secret}"`,
      glued: `key_${secret}`,
    })
    log.logger.info('request', { long: `${'x '.repeat(1_990)}${secret}` })
    log.logger.error('failed', new Error(`bad: Bearer ${secret}`, { cause: new Error(secret) }))
    assert.equal(log.written.length, 3)
    assert(!log.written.join().includes(secret.slice(0, 20)))
    assert.match(log.written.join(), /\[(jwt|api key|token)\]/)
  })
}

test('identifiers of the chain are not mistaken for secrets', () => {
  const log = capture()
  log.logger.info('request', { validatorId: `0x${LINK_TOKEN}` })
  assert.equal(log.only()['validatorId'], `0x${LINK_TOKEN}`)
})

test('no text can break its line or send control characters to a terminal', () => {
  fc.assert(
    fc.property(anyText(), fc.constantFrom('\n', '\r\n', '\u001b[2J', '\u202e', '\u2028'), (text, trick) => {
      const log = capture()
      log.logger.info('request', { name: `${text}${trick}{"level":"error"}` })
      assert.equal(log.written.length, 1)
      assert.match(log.written[0] ?? '', /^[^\n\r\u001b\u202e\u2028]*\n$/)
      assert.equal(log.only()['level'], 'info')
    }),
  )
})
