import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { seededRandom } from '../../../../test/support/sample-network.ts'
import { calibrate, rangeAround, rangeParts } from './calibration.ts'

const spread = Array.from({ length: 101 }, (_, index) => 0.9 + index / 500)

test('if errors only differ between validators, the range goes from their 10th to their 90th percentile', () => {
  const calibration = calibrate({ epochs: 7, stride: 7, origins: [spread, spread, spread] })
  assert.ok(calibration)
  const { low, high, level, epochs } = rangeAround(calibration, 10)
  const toApy = (part: number): number => 100 * (1.1 ** part - 1)
  assert.ok(Math.abs(low - toApy(0.92)) < 1e-9)
  assert.ok(Math.abs(high - toApy(1.08)) < 1e-9)
  assert.deepEqual([level, epochs], [0.8, 7])
})

test('averaging over many validators narrows the range, but not its common part', () => {
  const origins = [0.97, 1, 1.03].map((common) => spread.map((own) => common * own))
  const calibration = calibrate({ epochs: 7, stride: 7, origins })
  assert.ok(calibration)
  const widths = [1, 4, 100, 1e6].map((count) => {
    const { low, high } = rangeAround(calibration, 10, Array<number>(count).fill(1 / count))
    return high - low
  })
  assert.deepEqual(
    widths,
    widths.toSorted((a, b) => b - a),
  )
  assert.ok((widths.at(-1) ?? 0) > 0.5)
})

test('fewer blocks of epochs make the range wider; too few outcomes: undefined', () => {
  const origins = [0.97, 1, 1.03, 0.99, 1.01].map((common) => spread.map((own) => common * own))
  const width = (stride: number): number => {
    const calibration = calibrate({ epochs: 7, stride, origins })
    assert.ok(calibration)
    const { low, high } = rangeAround(calibration, 10)
    return high - low
  }
  assert.ok(width(1) > width(3) && width(3) > width(7))
  assert.equal(calibrate({ epochs: 7, stride: 7, origins: [spread.slice(0, 20)] }), undefined)
})

test('the common part is by Student’s t with as many degrees of freedom as blocks, widened for the uncertain mean', () => {
  // The common errors are 0.97 and 1.03: their mean is that of the prior, and their variance 2 · 0.03².
  const origins = [0.97, 1.03].map((common) => spread.map((own) => common * own))
  for (const { stride, blocks, t } of [
    { stride: 6, blocks: 1, t: 3.078 },
    { stride: 7, blocks: 2, t: 1.886 },
  ]) {
    const calibration = calibrate({ epochs: 7, stride, origins })
    const common = t * Math.sqrt(1 + 1 / (blocks + 0.1)) * Math.sqrt(2 * 0.03 ** 2)
    assert.ok(Math.abs((calibration?.common ?? 0) / common - 1) < 0.005, `${blocks}: ${calibration?.common}`)
  }
  // One block whose error is 0.97: the distance from the prior's mean, of weight 0.1, is the only square.
  const single = calibrate({ epochs: 7, stride: 7, origins: [spread.map((own) => 0.97 * own)] })
  const distance = Math.sqrt((0.1 / 1.1) * 0.03 ** 2)
  assert.ok(Math.abs((single?.common ?? 0) / (3.078 * Math.sqrt(1 + 1 / 1.1) * distance) - 1) < 0.005)
})

test('overlapping epochs count as one block: if all are off by 3%, an error of 0 is still inside the range', () => {
  const rangeOf = (origins: number) => {
    const off = Array.from({ length: origins }, () => spread.map((own) => 0.97 * own))
    const calibration = calibrate({ epochs: 30, stride: 2, origins: off })
    assert.ok(calibration)
    // With this many validators only the common part is left.
    return rangeParts(calibration, Array<number>(1e4).fill(1e-4))
  }
  const [young, old] = [rangeOf(5), rangeOf(150)]
  assert.ok(young.low < 0.97 && young.high > 1)
  // Ten blocks with the same error are no coincidence.
  assert.ok(Math.abs(old.low - 0.97) < 0.005 && Math.abs(old.high - 0.97) < 0.005)
})

test('for any past errors, low is at most high and never below 0', () => {
  const ratios = fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 30, maxLength: 60 })
  const problem = fc.record({
    epochs: fc.integer({ min: 1, max: 30 }),
    stride: fc.integer({ min: 1, max: 30 }),
    origins: fc.array(ratios, { minLength: 1, maxLength: 12 }),
  })
  fc.assert(
    fc.property(problem, fc.double({ min: 0, max: 1000, noNaN: true }), (errors, apy) => {
      const calibration = calibrate(errors)
      assert.ok(calibration)
      const { low, high } = rangeAround(calibration, apy)
      assert.ok(low >= 0 && low <= high + 1e-9)
    }),
  )
})

/** Errors whose common part has one of two values: a bimodal distribution, far from normal. */
function twoSided(origins: number, random: () => number): readonly (readonly number[])[] {
  return Array.from({ length: origins }, () => {
    const common = random() < 0.5 ? -0.05 : 0.05
    return Array.from({ length: 40 }, () => 1 + common + 0.02 * (random() - 0.5))
  })
}

test('a range that held too many past outcomes becomes narrower', () => {
  const random = seededRandom(7)
  const [origins, later] = [twoSided(12, random), twoSided(300, random).flat()]
  const insideOf = (epochs: number): number => {
    const calibration = calibrate({ epochs, stride: 1, origins })
    assert.ok(calibration)
    const { low, high } = rangeParts(calibration)
    return later.filter((ratio) => ratio >= low && ratio <= high).length / later.length
  }
  assert.ok(insideOf(1) > 0.75 && insideOf(1) < 0.95)
  // With overlapping epochs there are too few blocks to narrow it: then it may only become wider.
  assert.equal(insideOf(2), 1)
})
