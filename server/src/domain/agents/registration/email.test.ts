import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toOwner } from './email.ts'

test('an owner is the address in lower case, otherwise unchanged', () => {
  assert.equal(toOwner('Ann.Lee+Tag@Example.COM'), 'ann.lee+tag@example.com')
})
