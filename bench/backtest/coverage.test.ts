import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RANGE_EPOCHS } from '../../server/src/domain/staking/forecast/current-calibration.ts'
import { projectAt } from '../../server/src/domain/staking/forecast/past-market.ts'
import { measureCoverage } from './coverage.ts'
import { busyPast, sandboxPast } from './sandbox-coverage.ts'

for (const { seed, epochs, from } of [
  { seed: 1, epochs: 60, from: 1 },
  { seed: 2, epochs: 200, from: 121 },
]) {
  test(`1 and ${RANGE_EPOCHS} epochs ahead: 75 to 85% of what sandbox ${seed} pays from epoch ${from} on lies inside the ranges projected before`, async (t) => {
    const past = await sandboxPast(seed, epochs)
    for (const horizon of [1, RANGE_EPOCHS]) {
      const coverage = measureCoverage(past, horizon, from)
      assert.ok(coverage)
      t.diagnostic(`${horizon} epochs: ${(100 * coverage.inside).toFixed(1)} % of ${coverage.outcomes}`)
      assert.ok(coverage.inside > 0.75 && coverage.inside < 0.85)
    }
  })
}

test('30 epochs ahead: 75 to 85% of outcomes lie inside their ranges, while stakers come and go and long after the last one', async (t) => {
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

test('30 epochs ahead: 75 to 85% of outcomes lie inside their ranges while past outcomes fill only one block', async (t) => {
  const found = await Promise.all(SEEDS.map(async (seed) => measureCoverage(await sandboxPast(seed, 1), 30)))
  const inside = found.reduce((sum, coverage) => sum + (coverage?.inside ?? 0), 0) / found.length
  t.diagnostic(`${(100 * inside).toFixed(1)} %`)
  assert.ok(inside > 0.75 && inside < 0.85)
})

test('75 to 85% of outcomes lie inside their ranges in the sixty epochs after the last staker', async (t) => {
  const found = await Promise.all(
    SEEDS.map(async (seed) => measureCoverage(await sandboxPast(seed, 66), RANGE_EPOCHS, 91)),
  )
  const inside = found.reduce((sum, coverage) => sum + (coverage?.inside ?? 0), 0) / found.length
  t.diagnostic(`${(100 * inside).toFixed(1)} %`)
  assert.ok(inside > 0.75 && inside < 0.85)
})

const UNPAID = Array.from({ length: 2_000 }, (_, at): [string, number] => [`without records ${at}`, 0.1])

test('validators that are projected but have no outcome do not change the coverage of the others', () => {
  const past = busyPast(2, 90)
  const projected = (origin: number) => projectAt(past.snapshot, past.records, origin)
  const coverage = measureCoverage(past, RANGE_EPOCHS, 1, projected)
  assert.ok(coverage)
  const withUnpaid = measureCoverage(
    past,
    RANGE_EPOCHS,
    1,
    (origin) => new Map([...projected(origin), ...UNPAID]),
  )
  assert.deepEqual(withUnpaid, coverage)
})

test('an epoch without any outcome does not count', async () => {
  const past = await sandboxPast(1, 1)
  const last = past.snapshot.epoch.number - 1
  const projected = (origin: number) =>
    origin === last ? new Map(UNPAID) : projectAt(past.snapshot, past.records, origin)
  const coverage = measureCoverage(past, 1, last - 1, projected)
  assert.equal(coverage?.epochs, 1)
  assert.deepEqual(
    coverage?.byEpoch.map(({ epoch }) => epoch),
    [last - 1],
  )
})
