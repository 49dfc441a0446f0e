import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ENDPOINTS,
  type EndpointName,
  type EndpointSpec,
  isSafeToRepeat,
  ROUTES,
} from '@stakewright/contract'
import { Fault } from '../../fault.ts'
import { toErrorBody } from '../error-body.ts'
import { adviseOnUnknownOutcome } from './advise-on-unknown-outcome.ts'

const NAMES = Object.keys(ENDPOINTS) as EndpointName[]
const LOST = new Fault('store_not_ready', 'The store did not confirm it.', { outcome: 'unknown' })

function told(endpoint: EndpointName, idempotencyKey?: string) {
  const { method } = ROUTES[endpoint]
  const fault = adviseOnUnknownOutcome(LOST, { endpoint, method, idempotencyKey })
  assert(fault instanceof Fault)
  return toErrorBody(fault, 'r')
}

test('unknown outcome of a call that is not safe to repeat: the fix names a read-only call that shows whether it was done', () => {
  for (const name of NAMES) {
    const { retryable, fix, next } = told(name)
    assert.equal(retryable, isSafeToRepeat(name, false), name)
    if (retryable) continue
    assert.equal(next?.method, / \/api\//.test(fix) ? 'GET' : undefined, name)
    assert.doesNotMatch(fix, /^Find out/, name)
    for (const [, method] of fix.matchAll(/\b([A-Z]+) \/api\//g)) assert.equal(method, 'GET', name)
  }
})

test('advice is added only once', () => {
  const first = adviseOnUnknownOutcome(LOST, {
    endpoint: 'rotateKey',
    method: 'POST',
    idempotencyKey: undefined,
  })
  assert.equal(
    adviseOnUnknownOutcome(first, { endpoint: undefined, method: 'POST', idempotencyKey: undefined }),
    first,
  )
})

test('unknown outcome of a call with an idempotency key: the fix is to repeat it with the same key', () => {
  for (const name of NAMES) {
    const { isRepeatable }: EndpointSpec = ENDPOINTS[name]
    if (!isRepeatable) continue
    const { retryable, fix } = told(name, 'one')
    assert(retryable || fix.includes('the same `Idempotency-Key`'), name)
  }
})

test('every endpoint described as “May be repeated” in the contract is safe to repeat', () => {
  const repeated = NAMES.filter((name) => /May be repeated/.test(ENDPOINTS[name].description ?? ''))
  assert(repeated.length > 0)
  for (const name of repeated) assert(isSafeToRepeat(name, false), name)
})
