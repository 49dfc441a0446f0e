import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RANGE_EPOCHS } from '../../server/src/domain/staking/forecast/current-calibration.ts'
import { measureCoverage } from './coverage.ts'
import { busyPast, sandboxPast } from './sandbox-coverage.ts'

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

test('over thirty epochs, too, eight of ten lie inside: while stakers come and go, and when long nobody does', async (t) => {
  const seeds = [1, 2, 3]
  const chains = {
    busy: seeds.map((seed) => measureCoverage(busyPast(seed, 240), 30, 61)),
    quiet: await Promise.all(
      seeds.map(async (seed) => measureCoverage(await sandboxPast(seed, 209), 30, 201)),
    ),
  }
  for (const [name, found] of Object.entries(chains)) {
    const inside = found.reduce((sum, coverage) => sum + (coverage?.inside ?? 0), 0) / found.length
    t.diagnostic(`${name}: ${(100 * inside).toFixed(1)} %`)
    assert.ok(inside > 0.75 && inside < 0.85, name)
  }
})

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]

test('over thirty epochs, eight of ten lie inside also while one block of past outcomes is all there is', async (t) => {
  const found = await Promise.all(SEEDS.map(async (seed) => measureCoverage(await sandboxPast(seed, 1), 30)))
  const inside = found.reduce((sum, coverage) => sum + (coverage?.inside ?? 0), 0) / found.length
  t.diagnostic(`${(100 * inside).toFixed(1)} %`)
  assert.ok(inside > 0.75 && inside < 0.85)
})

test('when stakers stop coming and going, ranges follow: eight of ten lie inside in the sixty epochs after, too', async (t) => {
  const found = await Promise.all(
    SEEDS.map(async (seed) => measureCoverage(await sandboxPast(seed, 66), RANGE_EPOCHS, 91)),
  )
  const inside = found.reduce((sum, coverage) => sum + (coverage?.inside ?? 0), 0) / found.length
  t.diagnostic(`${(100 * inside).toFixed(1)} %`)
  assert.ok(inside > 0.75 && inside < 0.85)
})
