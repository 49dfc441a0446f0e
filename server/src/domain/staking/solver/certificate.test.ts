import assert from 'node:assert/strict'
import { test } from 'node:test'
import { certify } from './certificate.ts'

test('the gap is a number also where nothing can be gained and the split loses', () => {
  assert.equal(certify(-5, { bound: 0, nodes: 1 }, 100).gap, 1)
  assert.equal(certify(0, { bound: 0, nodes: 1 }, 100).gap, 0)
  assert.equal(certify(3, { bound: 4, nodes: 1 }, 100).gap, 0.25)
})
