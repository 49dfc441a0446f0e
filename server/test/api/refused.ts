import assert from 'node:assert/strict'
import { StakewrightError } from '@stakewright/client'

/** The refusal of a call; a call that succeeds fails the test. */
export async function refusalOf(call: Promise<unknown>): Promise<StakewrightError> {
  const error = await call.then(
    () => assert.fail('it was not refused'),
    (refusal: unknown) => refusal,
  )
  assert(error instanceof StakewrightError, String(error))
  return error
}

/** Asserts a 400 that names this field, with a message that matches `reason`. */
export async function refusesField(call: Promise<unknown>, field: string, reason: RegExp): Promise<void> {
  const { code, status, details, message } = await refusalOf(call)
  assert.deepEqual({ code, status }, { code: 'invalid_input', status: 400 }, message)
  assert.deepEqual(
    details.map((detail) => detail.field),
    [field],
  )
  assert.match(details[0]?.message ?? '', reason)
}

/** Asserts a refusal with this code and a message that matches `reason`. */
export async function refusesFor(
  call: Promise<unknown>,
  expected: 'rpc_unavailable' | 'store_not_ready' | 'not_found',
  reason: RegExp,
): Promise<void> {
  const { code, message, retryAfterSeconds } = await refusalOf(call)
  assert.equal(code, expected, message)
  assert.match(message, reason)
  if (expected !== 'not_found') assert.ok((retryAfterSeconds ?? 0) > 0, 'it says when to come back')
}
