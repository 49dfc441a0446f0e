import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isWeakSecret } from './weak-secret.ts'

test('what can be guessed is weak', () => {
  for (const text of [
    'short',
    'a'.repeat(32),
    'abc123'.repeat(10),
    'abcdefghijklmnopqrstuvwxyz0123456789',
    'zyxwvutsrqponmlkjihgfedcba9876543210',
    'change-this-before-production-please-do',
    'CHANGE_ME_0123456789abcdef0123456789',
  ])
    assert.equal(isWeakSecret(text), true, text)
})

test('what is random is not, in any of the usual spellings', () => {
  for (const spelling of ['hex', 'base64', 'base64url'] as const) {
    for (let count = 0; count < 10_000; count += 1) {
      const text = randomBytes(32).toString(spelling)
      assert.equal(isWeakSecret(text), false, text)
    }
  }
})
