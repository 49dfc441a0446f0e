import assert from 'node:assert/strict'
import { test } from 'node:test'
import { certify } from './certificate.ts'

test('the gap is finite also when the bound is 0', () => {
  assert.equal(certify(-5, { bound: 0, nodes: 1 }, 100).gap, 1)
  assert.equal(certify(0, { bound: 0, nodes: 1 }, 100).gap, 0)
  assert.equal(certify(3, { bound: 4, nodes: 1 }, 100).gap, 0.25)
})
