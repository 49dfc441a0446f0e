import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/repetitions.ts'
import { anyCurve } from '../../../../test/support/split-problems.ts'
import { dominates } from './dominance.ts'
import { gainOf, rewardCurve } from './reward-curve.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })

test('a curve that dominates another gains at least as much with every amount', () => {
  fc.assert(
    fc.property(anyCurve(), anyCurve(), fc.integer({ min: 1, max: 1e8 }), share, (a, b, most, part) => {
      if (!dominates(a, b, most)) return
      // Whole units, as in practice: fractions down to 1e-323 are subnormal floats without precision.
      const amount = Math.ceil(part * most)
      for (const risk of [0, 1e-6, 1e-3]) {
        const [better, worse] = [gainOf(a, risk, amount), gainOf(b, risk, amount)]
        assert.ok(better >= worse - 1e-12 * Math.abs(worse))
      }
    }),
    runs(3_000),
  )
})

test('equal curves dominate each other; up to the knee, also those that differ only in the stake', () => {
  fc.assert(
    fc.property(anyCurve(), fc.integer({ min: 1, max: 1e8 }), (curve, most) => {
      assert.ok(dominates(curve, { ...curve }, most))
    }),
    runs(200),
  )
  const line = { slope: 0.05, knee: 1_000, cost: 0, variance: 0 }
  const small = rewardCurve({ ...line, stake: 10, decline: 0.05 * 1_010 * 10 })
  const large = rewardCurve({ ...line, stake: 500, decline: 0.05 * 1_500 * 500 })
  assert.ok(dominates(small, large, 900) && dominates(large, small, 900))
  assert.ok(!dominates(small, large, 2_000), 'beyond the knee they differ')
})
