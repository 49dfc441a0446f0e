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

/** What a build breaks of the policy that refuses it, each rule with its limit, the actual value and the time it clears. */
export async function breachesOf(build: Promise<unknown>): Promise<StakewrightError['details']> {
  const { code, details, message } = await refusalOf(build)
  assert.equal(code, 'forbidden', message)
  for (const { limit, actual, clearsAt } of details) {
    assert.deepEqual([typeof limit, typeof actual], ['string', 'string'], message)
    assert(clearsAt === null || !Number.isNaN(Date.parse(clearsAt ?? '')), message)
  }
  return details
}

/** The names of the rules that a build breaks. */
export const brokenRules = async (build: Promise<unknown>): Promise<readonly string[]> =>
  (await breachesOf(build)).flatMap(({ rule }) => rule ?? [])

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
