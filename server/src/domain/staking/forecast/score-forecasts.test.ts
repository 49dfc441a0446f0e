import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EpochRecord } from '#ports/chain/staking-chain.ts'
import type { Forecast, ForecastSet } from '#ports/stores/forecasts.ts'
import { rankCorrelation } from './rank-correlation.ts'
import { scoreForecasts } from './score-forecasts.ts'

const PER_YEAR = 100

/** A pool whose rate grows by these fractions, one for each epoch from 0 on. */
function poolOf(validatorId: string, growths: readonly number[]): [string, readonly EpochRecord[]] {
  let rate = 1
  const records = growths.map((growth, epoch) => {
    rate *= 1 + growth
    const tokens = BigInt(Math.round(rate * 1e15))
    return {
      validatorId,
      epoch,
      endedAt: epoch,
      rate: { tokens, shares: 10n ** 15n },
      stake: 1n,
      commissionBps: 0,
      commissionSource: 'read' as const,
      performed: true,
    }
  })
  return [validatorId, records]
}

const apyOf = (growth: number): number => 100 * ((1 + growth) ** PER_YEAR - 1)
const forecast = (validatorId: string, apy: number, last = apy): Forecast => ({
  validatorId,
  apy,
  last,
  mean: apy,
})

function setOf(epoch: number, forecasts: readonly Forecast[]): ForecastSet {
  const ranges = [{ epochs: 2, low: 0.9, high: 1.1 }]
  return { network: 'sandbox', engineVersion: '1', epoch, madeAt: 0, ranges, forecasts }
}

const close = (a: number | undefined, b: number) => assert.ok(Math.abs((a ?? Number.NaN) - b) < 1e-6)

test('a projection is judged by the epochs after the one in which it was made', () => {
  // Made in epoch 2: epochs 3 and 4 count, not 2 itself.
  const records = new Map([
    poolOf('a', [0, 0.001, 0.5, 0.001, 0.001]),
    poolOf('b', [0, 0, 0.5, 0.002, 0.002]),
  ])
  const sets = [setOf(2, [forecast('a', apyOf(0.001)), forecast('b', apyOf(0.001), apyOf(0.002))])]
  const [two] = scoreForecasts(sets, { records, newestEpoch: 4, epochsPerYear: PER_YEAR }, [2])
  assert.ok(two?.total)
  const missed = apyOf(0.002) - apyOf(0.001)
  close(two.total.bias, missed / 2)
  close(two.total.meanAbsoluteError, missed / 2)
  close(two.total.errorOfLast, 0)
  close(two.total.errorOfMean, missed / 2)
  assert.equal(two.total.inside, 0.5)
  assert.deepEqual([two.pending, two.lost, two.blocks], [0, 0, 1])
})

test('an unfinished horizon is pending, a validator without records is lost, one that left has paid 0 since', () => {
  const growths = Array<number>(10).fill(0.001)
  const records = new Map([poolOf('stays', growths), poolOf('leaves', growths.slice(0, 6))])
  const both = [forecast('stays', apyOf(0.001)), forecast('leaves', apyOf(0.001))]
  const sets = [setOf(3, [...both, forecast('stranger', 5)]), setOf(5, both), setOf(8, both)]
  const [two] = scoreForecasts(sets, { records, newestEpoch: 9, epochsPerYear: PER_YEAR }, [2])
  assert.ok(two?.total)
  assert.deepEqual([two.total.forecasts, two.pending, two.lost, two.blocks], [4, 2, 1, 2])
  const [, left] = two.epochs
  close(left?.bias, -apyOf(0.001) / 2)
})

test('growth within rounding counts as no pay: validators without pay share a rank', () => {
  const records = new Map([
    poolOf('pays', [0, 0, 0.001]),
    poolOf('rounds', [0, 0, 5e-14]),
    poolOf('pays nothing', [0, 0, 0]),
  ])
  const sets = [setOf(1, [forecast('pays', 9), forecast('rounds', 7), forecast('pays nothing', 8)])]
  const [one] = scoreForecasts(sets, { records, newestEpoch: 2, epochsPerYear: PER_YEAR }, [1])
  close(one?.total?.rankCorrelation, rankCorrelation([9, 7, 8], [1, 0, 0]))
})

test('accuracy is computed for each engine version separately', () => {
  const records = new Map([poolOf('a', [0, 0.001, 0.001, 0.001])])
  const first = setOf(1, [forecast('a', apyOf(0.001))])
  const sets = [first, { ...first, engineVersion: '2', forecasts: [forecast('a', apyOf(0.002))] }]
  const past = { records, newestEpoch: 3, epochsPerYear: PER_YEAR }
  const results = scoreForecasts(sets, past, [1])
  assert.deepEqual(
    results.map(({ engineVersion, total }) => [engineVersion, (total?.meanAbsoluteError ?? 0) > 1e-6]),
    [
      ['1', false],
      ['2', true],
    ],
  )
})

test('rank correlation ignores distances; equal values share a rank', () => {
  close(rankCorrelation([1, 2, 3], [10, 11, 500]), 1)
  close(rankCorrelation([1, 2, 3], [3, 2, 1]), -1)
  close(rankCorrelation([1, 1, 2], [5, 5, 9]), 1)
  assert.equal(rankCorrelation([1, 1, 1], [1, 2, 3]), 0)
  assert.equal(rankCorrelation([], []), 0)
})
