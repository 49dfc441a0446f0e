import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromPercents, SCORE_PARTS, toPercents, type Weights, withPercent } from '../../src/data/score.ts'

const weight = fc.integer({ min: 0, max: 100 })
const weights = fc.record({ apy: weight, uptime: weight, commission: weight })
const valuesOf = (all: Weights) => SCORE_PARTS.map((part) => all[part])
const sumOf = (all: Weights) => valuesOf(all).reduce((sum, one) => sum + one, 0)

test('weights of any sum are whole percentages that add up to 100 and stay the same when they are read back', () => {
  assert.deepEqual(valuesOf(toPercents({ apy: 33, uptime: 33, commission: 33 })), [34, 33, 33])
  assert.deepEqual(valuesOf(toPercents({ apy: 0.5, uptime: 0.29, commission: 0.21 })), [50, 29, 21])
  fc.assert(
    fc.property(weights, (raw) => {
      const percents = toPercents(raw)
      assert(valuesOf(percents).every(Number.isInteger))
      assert.equal(sumOf(percents), 100)
      assert.deepEqual(toPercents(percents), percents)
      assert.deepEqual(toPercents(fromPercents(percents)), percents)
    }),
  )
})

test('one weight takes every value from 0 to 100, and the others differ from their proportion by less than 1', () => {
  fc.assert(
    fc.property(weights, fc.constantFrom(...SCORE_PARTS), weight, (raw, part, value) => {
      const percents = toPercents(raw)
      const next = withPercent(percents, part, value)
      assert.equal(next[part], value)
      assert.equal(sumOf(next), 100)
      const rest = 100 - percents[part]
      for (const other of SCORE_PARTS)
        if (other !== part && rest > 0)
          assert(Math.abs(next[other] - ((100 - value) * percents[other]) / rest) < 1)
    }),
  )
})
