import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../server/test/support/sample-network.ts'
import { blockInterval, blockMeans } from './block-interval.ts'

test('the interval contains the true coverage in 95 of 100 histories, even if the epochs of a block are identical', () => {
  const random = seededRandom(5)
  for (const blocks of [3, 8, 20]) {
    let held = 0
    for (let history = 0; history < 1_000; history++) {
      const byEpoch = Array.from({ length: blocks }, () => {
        const common = 0.6 + 0.4 * random()
        return Array.from({ length: 7 }, () => ({ inside: common }))
      }).flat()
      const interval = blockInterval(blockMeans(byEpoch, 7))
      assert.equal(interval.blocks, blocks)
      if (interval.low <= 0.8 && interval.high >= 0.8) held++
    }
    assert.ok(held >= 910 && held <= 985, `${held} of 1,000 with ${blocks} blocks`)
  }
})

test('the interval of a single block is 0 to 1', () => {
  assert.deepEqual(blockInterval(blockMeans([{ inside: 0.9 }, { inside: 0.7 }], 2)), {
    low: 0,
    high: 1,
    blocks: 1,
  })
})

test('the interval equals one computed by hand from a table of Student’s t', () => {
  // Mean 0.6, deviation 0.1 with three degrees of freedom: 0.6 ± 3.18 · 0.1 / 2.
  const half = Math.sqrt(0.0075)
  const { low, high } = blockInterval([0.6 - half, 0.6 + half, 0.6 - half, 0.6 + half])
  assert.ok(Math.abs(low - (0.6 - 0.159)) < 1e-12)
  assert.ok(Math.abs(high - (0.6 + 0.159)) < 1e-12)
})
