import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDecimal, formatPercent, formatPoints, formatTokens } from '../src/parts/format.ts'

test('a figure that rounds to nothing has no sign', () => {
  assert.match(formatDecimal(-0.001, 2), /^0.00$/)
  assert.match(formatPercent(-0.001), /^0.00/)
  assert.match(formatPoints(-0.001), /^0.00 pts$/)
  assert.equal(formatTokens(0n, 9), '0')
  assert.match(formatDecimal(-0.01, 2), /^-0.01$/)
})
