import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  formatDecimal,
  formatExactTokens,
  formatPercent,
  formatPoints,
  formatPointsBetween,
  formatTokens,
  localNumbers,
} from '../src/parts/format.ts'

test('a figure that rounds to zero has no sign', () => {
  assert.match(formatDecimal(-0.001, 2), /^0.00$/)
  assert.match(formatPercent(-0.001), /^0.00/)
  assert.match(formatPoints(-0.001), /^0.00 pts$/)
  assert.equal(formatTokens(0n, 9), '0')
  assert.match(formatDecimal(-0.01, 2), /^−0.01$/)
  assert.match(formatExactTokens(-1n, 9), /^−0.000000001$/)
})

test('a difference is computed from the rounded figures', () => {
  assert.equal(formatPercent(14.794), '14.79%')
  assert.equal(formatPercent(16.656), '16.66%')
  assert.equal(formatPointsBetween(16.656, 14.794), '−1.87 pts')
})

test('only percentages and amounts in a sentence are rewritten by the locale', () => {
  assert.equal(
    localNumbers('From 3.20% to 17.14%: stakes 1234567.000000001 SBX in epoch 12345 of 0x99 AB'),
    'From 3.20% to 17.14%: stakes 1,234,567.000000001 SBX in epoch 12345 of 0x99 AB',
  )
})

const CONSENTING = [
  'parts/console',
  'parts/forms',
  'parts/sandbox',
  'pages/{agent,approval,console,sandbox}.ts',
]

test('no amount is rounded where users confirm it or a rule sets it', () => {
  const sources = new URL('../src/', import.meta.url).pathname
  const files = CONSENTING.flatMap((place) =>
    globSync(place.endsWith('.ts') ? place : `${place}/**/*.ts`, { cwd: sources }),
  )
  assert(files.length > 40, `${files.length} files`)
  const rounding = files.filter((file) =>
    /\b(Amount|formatTokens)\b/.test(readFileSync(sources + file, 'utf8')),
  )
  assert.deepEqual(rounding, [], 'use ExactAmount or formatExactTokens')
})
