import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatDecimal,
  formatExactTokens,
  formatPercent,
  formatPoints,
  formatPointsBetween,
  formatTokens,
} from '../src/parts/format.ts'

test('a figure that rounds to nothing has no sign', () => {
  assert.match(formatDecimal(-0.001, 2), /^0.00$/)
  assert.match(formatPercent(-0.001), /^0.00/)
  assert.match(formatPoints(-0.001), /^0.00 pts$/)
  assert.equal(formatTokens(0n, 9), '0')
  assert.match(formatDecimal(-0.01, 2), /^−0.01$/)
  assert.match(formatExactTokens(-1n, 9), /^−0.000000001$/)
})

test('a difference is that of the figures shown', () => {
  assert.equal(formatPercent(14.794), '14.79%')
  assert.equal(formatPercent(16.656), '16.66%')
  assert.equal(formatPointsBetween(16.656, 14.794), '−1.87 pts')
})
