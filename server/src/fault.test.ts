import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault, type FaultOptions } from './fault.ts'

const PARTS = {
  cause: new Error('the connection was lost'),
  status: 413,
  details: [{ field: 'amount', message: 'is too large' }],
  retryAfterSeconds: 3,
  headers: { allow: 'GET' },
  fix: 'Send less.',
  next: { endpoint: 'validators' },
  outcome: 'unknown',
} satisfies Required<FaultOptions>

const partsOf = (fault: Fault) =>
  Object.fromEntries(Object.keys(PARTS).map((name) => [name, fault[name as keyof Fault]]))

test('`with` keeps all other parts of a fault, including its cause', () => {
  const fault = new Fault('invalid_input', 'It is too large.', PARTS)
  for (const name of Object.keys(PARTS)) {
    const changed = fault.with({ [name]: undefined })
    assert.deepEqual(partsOf(changed), { ...PARTS, [name]: undefined })
    assert.deepEqual([changed.code, changed.message], [fault.code, fault.message])
  }
})
