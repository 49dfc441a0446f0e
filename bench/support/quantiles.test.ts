import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatRange, median, quantile } from './quantiles.ts'

test('a quantile is the value below which that share of the values lies, whatever their order', () => {
  const values = Array.from({ length: 100 }, (_, at) => (at * 37) % 100)
  for (const [share, value] of [
    [0, 0],
    [0.25, 25],
    [0.99, 99],
    [1, 99],
  ] as const) {
    assert.equal(quantile(values, share), value)
  }
  assert.equal(median([10, 9, 100]), 10)
  assert(Number.isNaN(quantile([], 0.5)))
  assert.equal(formatRange(1, 0.5, 2.345), '1.00 (0.50–2.35)')
})
