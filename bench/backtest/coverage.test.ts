import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RANGE_EPOCHS } from '../../server/src/domain/staking/forecast/current-calibration.ts'
import { measureCoverage, sandboxPast } from './coverage.ts'

test('of what the sandbox paid, eight of ten lie inside the ranges that were given before', async (t) => {
  const past = await sandboxPast(1, 60)
  for (const horizon of [1, RANGE_EPOCHS]) {
    const coverage = measureCoverage(past, horizon)
    assert.ok(coverage)
    t.diagnostic(`${horizon} epochs: ${(100 * coverage.inside).toFixed(1)} % of ${coverage.outcomes}`)
    assert.ok(coverage.inside > 0.75 && coverage.inside < 0.85)
  }
})
