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
import { tellOutcome } from './tell-outcome.ts'

const NAMES = Object.keys(ENDPOINTS) as EndpointName[]
const LOST = new Fault('store_not_ready', 'The store did not confirm it.', { outcome: 'unknown' })

function told(endpoint: EndpointName, idempotencyKey?: string) {
  const { method } = ROUTES[endpoint]
  const fault = tellOutcome(LOST, { endpoint, method, idempotencyKey })
  assert(fault instanceof Fault)
  return toErrorBody(fault, 'r')
}

test('each call that must not be done twice says how to find out whether it was done, by a call that changes nothing', () => {
  for (const name of NAMES) {
    const { retryable, fix, next } = told(name)
    assert.equal(retryable, isSafeToRepeat(name, false), name)
    if (retryable) continue
    assert.equal(next?.method, / \/api\//.test(fix) ? 'GET' : undefined, name)
    assert.doesNotMatch(fix, /^Find out/, name)
    for (const [, method] of fix.matchAll(/\b([A-Z]+) \/api\//g)) assert.equal(method, 'GET', name)
  }
})

test('it is told once, by whoever hears of it first', () => {
  const first = tellOutcome(LOST, { endpoint: 'rotateKey', method: 'POST', idempotencyKey: undefined })
  assert.equal(tellOutcome(first, { endpoint: undefined, method: 'POST', idempotencyKey: undefined }), first)
})

test('a call with an idempotency key is told to repeat it with the same key', () => {
  for (const name of NAMES) {
    const { isRepeatable }: EndpointSpec = ENDPOINTS[name]
    if (!isRepeatable) continue
    const { retryable, fix } = told(name, 'one')
    assert(retryable || fix.includes('the same `Idempotency-Key`'), name)
  }
})

test('what the contract says may be repeated is safe to repeat', () => {
  const repeated = NAMES.filter((name) => /May be repeated/.test(ENDPOINTS[name].description ?? ''))
  assert(repeated.length > 0)
  for (const name of repeated) assert(isSafeToRepeat(name, false), name)
})
