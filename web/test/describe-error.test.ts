import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StakewrightError } from '@stakewright/client'
import { describeError, toRefusal } from '../src/data/errors/describe-error.ts'
import { inPlainWords } from '../src/data/errors/plain-words.ts'

const SENT = { status: 400, requestId: 'r' }

test('a refusal is described once, with the labels of the form', () => {
  const message = '`maxShare` is too small: 5 validators take 0.25 at most.'
  const details = [{ field: 'maxShare', message: 'is too small: 5 validators take 0.25 at most' }]
  const error = new StakewrightError('invalid_input', message, { ...SENT, details })
  assert.equal(describeError(error), '“Largest share” is too small: 5 validators take 25% at most.')
})

test('details that the message does not contain are added', () => {
  const details = [
    { field: 'amount', message: 'is required' },
    { field: 'sender', message: 'must be an address' },
  ]
  const error = new StakewrightError('invalid_input', '`amount` is required.', { ...SENT, details })
  assert.equal(describeError(error), '“Amount” is required. (sender must be an address)')
})

test('the time to wait is stated once', () => {
  const waiting = { status: 429, requestId: 'r', retryAfterSeconds: 12, retryable: true }
  const limited = new StakewrightError('rate_limited', 'Used up. Try again in 12 s.', waiting)
  assert.equal(describeError(limited), 'Used up. Try again in 12 s.')
  assert.equal(
    describeError(new StakewrightError('rate_limited', 'Used up.', waiting)),
    'Used up. Try again in 12 s.',
  )
})

test('an error that is not retryable has no advice to try again', () => {
  const unknown = { status: 503, requestId: 'r', retryAfterSeconds: 1, retryable: false }
  const error = new StakewrightError('store_not_ready', 'It is not known whether it was done.', unknown)
  assert.equal(describeError(error), 'It is not known whether it was done.')
})

test('an error of a gateway is distinguished from one of the service', () => {
  const error = new StakewrightError('internal_error', 'The answer had status 502 and no error body.', {
    status: 502,
  })
  assert.equal(describeError(error), 'The service cannot be reached right now (status 502).')
})

test('fields get the labels of the form, and hints for programs are left out', () => {
  const labels = { email: 'Owner' }
  for (const [text, plain] of [
    ['`positions[0].principal` must be above 0.', '“What you hold”, number 1, “amount” must be above 0.'],
    ['`email` must be a plain e-mail address.', '“Owner” must be a plain e-mail address.'],
    ['must be at least 10 (minStakeAmount); see GET /api/v1/staking/agent/metadata', 'must be at least 10.'],
    [
      'There is no agent with this id that you may manage. GET /api/v1/agents lists yours.',
      'There is no agent with this id that you may manage.',
    ],
    [
      'must be at least 10, the smallest stake: minStakeAmount of GET /api/v1/staking/agent/metadata.',
      'must be at least 10, the smallest stake.',
    ],
    [
      'leave too little room; raise their maxShare or maxValidators.',
      'leave too little room; raise their “Largest share” or “At most … validators”.',
    ],
    ['Send `someNewField[2].partOfIt` again.', 'Send some new field, number 3, part of it again.'],
  ] as const)
    assert.equal(inPlainWords(text, labels), plain)
})

test('each detail of a refusal is assigned to its field; a detail without one is assigned to the form', () => {
  const labels = { name: 'Name', allowedNetworks: 'Accepted from' }
  const refused = (field: string) =>
    new StakewrightError('invalid_input', 'Wrong.', {
      ...SENT,
      details: [{ field, message: 'must be right' }],
    })
  assert.deepEqual(toRefusal(refused('allowedNetworks[1]'), labels), {
    byField: { allowedNetworks: 'Number 2 must be right.' },
    other: undefined,
  })
  assert.deepEqual(toRefusal(refused('name'), labels).byField, { name: 'This must be right.' })
  assert.deepEqual(toRefusal(refused('gracePeriodSeconds'), labels), {
    byField: {},
    other: 'Wrong. (grace period seconds must be right)',
  })
})

test('amounts and percentages in a refusal are written by the user’s locale', () => {
  assert.equal(
    inPlainWords('`amount` must be at least 12500.5 SBX, which is 0.50% of it.'),
    '“Amount” must be at least 12,500.5 SBX, which is 0.50% of it.',
  )
})
