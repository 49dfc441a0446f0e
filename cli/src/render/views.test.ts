import assert from 'node:assert/strict'
import { test } from 'node:test'
import { styleFor } from './style.ts'
import { viewOf } from './views.ts'

const STYLE = styleFor(80, false)

test('an answer without the fields of its view is shown as JSON, with the key that it holds', () => {
  const reply = { data: { apiKey: 'stk_once' } }
  assert.deepEqual(JSON.parse(viewOf('rotateKey', reply, STYLE)), reply)
})
