import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StakewrightError } from '@stakewright/client'
import { describeError } from '../src/data/errors/describe-error.ts'

const SENT = { status: 400, requestId: 'r' }

test('a refusal is said once, without the marks of the API', () => {
  const message = '`maxShare` is too small: 5 validators take 0.25 at most.'
  const details = [{ field: 'maxShare', message: 'is too small: 5 validators take 0.25 at most' }]
  const error = new StakewrightError('invalid_input', message, { ...SENT, details })
  assert.equal(describeError(error), 'maxShare is too small: 5 validators take 0.25 at most.')
})

test('what the message does not say is added', () => {
  const details = [
    { field: 'amount', message: 'is required' },
    { field: 'sender', message: 'must be an address' },
  ]
  const error = new StakewrightError('invalid_input', '`amount` is required.', { ...SENT, details })
  assert.equal(describeError(error), 'amount is required. (sender must be an address)')
})

test('when to come back is said once', () => {
  const waiting = { status: 429, requestId: 'r', retryAfterSeconds: 12 }
  const told = new StakewrightError('rate_limited', 'Used up. Try again in 12 s.', waiting)
  assert.equal(describeError(told), 'Used up. Try again in 12 s.')
  assert.equal(
    describeError(new StakewrightError('rate_limited', 'Used up.', waiting)),
    'Used up. Try again in 12 s.',
  )
})

test('a gateway is told from the service', () => {
  const error = new StakewrightError('internal_error', 'The answer had status 502 and no error body.', {
    status: 502,
  })
  assert.equal(describeError(error), 'The service cannot be reached right now (status 502).')
})
