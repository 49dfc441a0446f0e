import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RANGE_EPOCHS } from '../../server/src/domain/staking/forecast/current-calibration.ts'
import { measureCoverage, sandboxPast } from './coverage.ts'

for (const { seed, epochs, from } of [
  { seed: 1, epochs: 60, from: 1 },
  { seed: 2, epochs: 200, from: 121 },
]) {
  test(`of what the sandbox paid from epoch ${from} to ${epochs}, eight of ten lie inside the ranges that were given before`, async (t) => {
    const past = await sandboxPast(seed, epochs)
    for (const horizon of [1, RANGE_EPOCHS]) {
      const coverage = measureCoverage(past, horizon, from)
      assert.ok(coverage)
      t.diagnostic(`${horizon} epochs: ${(100 * coverage.inside).toFixed(1)} % of ${coverage.outcomes}`)
      assert.ok(coverage.inside > 0.75 && coverage.inside < 0.85)
    }
  })
}
