import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ErrorCode } from '@stakewright/contract/errors'
import { ERRORS } from '@stakewright/contract/errors'
import fc from 'fast-check'
import { toFault } from '#api/error-body.ts'
import { call, Fault, refusal } from '../fault.ts'
import { toErrorResponse } from './error-response.ts'

const isCode = (name: string): name is ErrorCode => Object.hasOwn(ERRORS, name)
const CODES = Object.keys(ERRORS).filter(isCode)

suite('a fault as an answer', () => {
  for (const code of CODES) {
    test(`${code} has the status of the table`, () => {
      const { status, body } = toErrorResponse(new Fault(code, 'It is wrong.', { fix: 'Mend it.' }), 'id')
      assert.equal(status, ERRORS[code].status)
      assert.deepEqual(
        { ...body, retryAfterSeconds: undefined },
        {
          error: code,
          message: 'It is wrong.',
          status,
          requestId: 'id',
          retryAfterSeconds: undefined,
          fix: 'Mend it.',
          retryable: ERRORS[code].retryable,
        },
      )
    })
  }

  test('the text of the message has no influence on `fix` and `next`', () => {
    const paths = fc.constantFrom('GET /api/v1/agents lists yours.', '; use `owner` instead.', ' Mend it. ')
    fc.assert(
      fc.property(fc.constantFrom(...CODES), fc.array(fc.oneof(fc.string(), paths)), (code, words) => {
        const message = words.join('')
        const plain = toErrorResponse(new Fault(code, message, { fix: 'Wait.' }), 'id').body
        assert.deepEqual([plain.message, plain.fix, plain.next], [message, 'Wait.', undefined])
        const next = { endpoint: 'requestCode' } as const
        const led = toErrorResponse(new Fault(code, message, { fix: 'Wait.', next }), 'id').body
        assert.deepEqual(led.next, { method: 'POST', path: '/api/v1/auth/code', needs: ['email'] })
      }),
    )
  })

  test('calls named in texts are shown as method and path', () => {
    const named = `${call('listAgents')} lists yours`
    const fault = refusal('not_found', `There is none: ${named}.`, `${named}.`, {
      details: [{ field: 'id', message: named }],
    })
    const { message, fix, details } = toErrorResponse(fault, 'id').body
    assert.equal(message, 'There is none: GET /api/v1/agents lists yours. GET /api/v1/agents lists yours.')
    assert.equal(fix, 'GET /api/v1/agents lists yours.')
    assert.deepEqual(details, [{ field: 'id', message: 'GET /api/v1/agents lists yours' }])
  })

  test('the status of a fault takes precedence over that of the table', () => {
    const { status, body } = toErrorResponse(
      new Fault('invalid_input', 'why', { status: 413, fix: 'how' }),
      'id',
    )
    assert.equal(status, 413)
    assert.equal(body.status, 413)
  })

  test('429 and 503 have Retry-After in whole seconds, at least one, in header and body', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CODES), fc.option(fc.double(), { nil: undefined }), (code, wait) => {
        const options = wait === undefined ? {} : { retryAfterSeconds: wait }
        const { status, body, headers } = toErrorResponse(new Fault(code, 'why', options), 'id')
        if (status !== 429 && status !== 503) {
          assert.equal(headers['retry-after'], undefined)
          assert.ok(!('retryAfterSeconds' in body))
          return
        }
        const seconds = Number(headers['retry-after'])
        assert.ok(Number.isInteger(seconds) && seconds >= 1)
        assert.equal(body.retryAfterSeconds, seconds)
        if (wait !== undefined && Number.isFinite(wait)) assert.ok(seconds >= wait)
      }),
    )
  })

  test('401 has WWW-Authenticate: the default one, or that of the fault', () => {
    assert.match(
      toErrorResponse(new Fault('unauthorized', 'why', { fix: 'how' }), 'id').headers['www-authenticate'] ??
        '',
      /^Bearer/,
    )
    const own = new Fault('unauthorized', 'why', {
      fix: 'how',
      headers: { 'WWW-Authenticate': 'Bearer error="expired"' },
    })
    assert.equal(toErrorResponse(own, 'id').headers['www-authenticate'], 'Bearer error="expired"')
  })

  test('an unexpected error of any value is a 500 with the same body, which contains nothing of it', () => {
    fc.assert(
      fc.property(fc.anything(), (thrown) => {
        const fault = toFault(thrown)
        const { status, body } = toErrorResponse(fault, 'id')
        assert.equal(status, 500)
        assert.deepEqual(body, toErrorResponse(toFault(new Error('secret')), 'id').body)
        assert.equal(fault.cause, thrown)
      }),
    )
  })
})
