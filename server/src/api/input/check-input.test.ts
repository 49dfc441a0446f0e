import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS } from '@stakewright/contract'
import { Fault } from '../../fault.ts'
import { checkInput, type RawInput } from './check-input.ts'

const args = (values: unknown): RawInput => ({ kind: 'arguments', values })
const request = (query: Record<string, string>, params = {}, body?: unknown): RawInput => ({
  kind: 'request',
  params,
  query: () => query,
  hasBody: body !== undefined,
  body: () => body,
})

test('a tool call’s arguments and the parts of an HTTP request give the same input', () => {
  const history = checkInput(ENDPOINTS.validatorApyHistory)
  const id = `0x${'ab'.repeat(32)}`
  assert.deepEqual(history(args({ id, limit: 5 })), history(request({ limit: '5' }, { id })))
  const allocate = checkInput(ENDPOINTS.allocate)
  const body = { amount: '1000', maxValidators: 3 }
  assert.deepEqual(allocate(args(body)), allocate(request({}, {}, body)))
  const list = checkInput(ENDPOINTS.listAgents)
  assert.deepEqual(list(args({})), list(request({})))
})

function detailsOf(check: () => unknown): readonly string[] {
  try {
    check()
  } catch (error) {
    assert(error instanceof Fault && error.code === 'invalid_input')
    return (error.details ?? []).map(({ field }) => field)
  }
  return assert.fail('it was accepted')
}

test('an unknown argument is refused by name, for endpoints with body, with query, and with neither', () => {
  for (const name of ['allocate', 'validatorApyHistory', 'scoring', 'listAgents'] as const) {
    const refused = detailsOf(() => checkInput(ENDPOINTS[name])(args({ amont: 1 })))
    assert(refused.includes('amont'), `${name}: ${refused}`)
  }
  for (const name of ['toString', '__proto__', 'constructor'])
    assert.deepEqual(
      detailsOf(() => checkInput(ENDPOINTS.scoring)(args(JSON.parse(`{"${name}":1}`)))),
      [name],
    )
})

test('a number as a string is accepted in a query and refused in arguments', () => {
  const history = checkInput(ENDPOINTS.apyHistory)
  assert.deepEqual(history(request({ limit: '5' })), history(args({ limit: 5 })))
  assert.deepEqual(
    detailsOf(() => history(args({ limit: '5' }))),
    ['limit'],
  )
})

test('arguments that are not an object are refused', () => {
  for (const values of [undefined, null, 'x', 1, [], [{}]])
    assert.throws(() => checkInput(ENDPOINTS.scoring)(args(values)), Fault)
})
