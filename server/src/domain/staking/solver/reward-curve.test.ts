import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/repetitions.ts'
import { anyCurve } from '../../../../test/support/split-problems.ts'
import { curvatureOf, demandAt, gainOf, marginalGain } from './reward-curve.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const risk = fc.constantFrom(0, 1e-7, 1e-5, 1e-3)

test('a curve starts at 0, is concave, and no unit is worth more than the first', () => {
  fc.assert(
    fc.property(anyCurve(share), risk, share, share, (curve, weight, a, b) => {
      const [x, y] = [1e8 * Math.min(a, b), 1e8 * Math.max(a, b)]
      assert.equal(gainOf(curve, weight, 0), 0)
      assert.ok(marginalGain(curve, weight, x) <= curve.entry)
      const [sooner, later] = [marginalGain(curve, weight, x), marginalGain(curve, weight, y)]
      assert.ok(later <= sooner + 1e-12 * Math.abs(sooner) + 1e-15)
      const middle = gainOf(curve, weight, (x + y) / 2)
      const chord = (gainOf(curve, weight, x) + gainOf(curve, weight, y)) / 2
      assert.ok(middle >= chord - 1e-9 * Math.max(1, Math.abs(chord)))
    }),
    runs(500),
  )
})

test('the demand of a curve at a price is worth at least as much as every other amount', () => {
  const price = fc.double({ min: -0.05, max: 0.15, noNaN: true })
  fc.assert(
    fc.property(anyCurve(share), risk, price, share, share, share, (curve, weight, cost, a, b, other) => {
      const [least, most] = [1e7 * Math.min(a, b), 1e7 * Math.max(a, b)]
      const worth = (x: number): number => gainOf(curve, weight, x) - cost * x
      const best = demandAt(curve, weight, cost, least, most)
      assert.ok(best >= least && best <= most, `${best} is outside ${least}…${most}`)
      const rounding =
        1e-13 * (Math.abs(cost) + Math.abs(curve.entry) + curve.cost + weight * curve.variance * most) * most
      assert.ok(worth(best) >= worth(least + other * (most - least)) - rounding)
    }),
    runs(3_000),
  )
})

test('the curvature is the slope of the marginal gain', () => {
  fc.assert(
    fc.property(anyCurve(), risk, share, (curve, weight, part) => {
      const x = 1e6 * part
      const step = 1e-4 * (curve.stake + x)
      // Across the knee the marginal gain jumps.
      fc.pre(x > curve.knee || x + step < curve.knee)
      const measured = (marginalGain(curve, weight, x) - marginalGain(curve, weight, x + step)) / step
      const curvature = curvatureOf(curve, weight, x)
      assert.ok(Math.abs(measured - curvature) <= 1e-3 * curvature + (1e-12 * curve.entry) / step)
    }),
    runs(300),
  )
})
