import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRequestId } from './request-id.ts'

test('10,000 ids are 10,000 different ones, each safe in a header, a URL and a log line', () => {
  const ids = new Set(Array.from({ length: 10_000 }, newRequestId))
  assert.equal(ids.size, 10_000)
  for (const id of ids) assert.match(id, /^[\w-]{20}$/)
})
