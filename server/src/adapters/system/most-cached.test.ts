import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostCachedAgents } from './most-cached.ts'

const MB = 2 ** 20

test('the number of cached agents grows with the heap, up to a fixed maximum', () => {
  assert.equal(mostCachedAgents(256 * MB), 32_768)
  assert.equal(mostCachedAgents(1_024 * MB), 131_072)
  assert.equal(mostCachedAgents(16_384 * MB), 131_072)
  assert(mostCachedAgents() > 0)
})
