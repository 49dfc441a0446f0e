import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APY_EPOCHS } from '@stakewright/contract/limits'
import fc from 'fast-check'
import type { EpochRecord } from '#ports/chain/staking-chain.ts'
import { YEAR_MS } from '../../durations.ts'
import { APY_WINDOWS, estimateApy } from './apy.ts'

const DAY = 86_400_000
const CLOCK = { currentEpoch: 100, epochDurationMs: DAY }
const SHARES = 10n ** 18n

const record = (epoch: number, tokens: bigint): EpochRecord => ({
  validatorId: 'v',
  epoch,
  endedAt: epoch * DAY,
  rate: { tokens, shares: SHARES },
  stake: SHARES,
  commissionBps: 500,
  commissionSource: 'read',
  performed: true,
})

/** Records of epochs `from`…`to`, growing by `apyOf(epoch)` percent a year, from a rate of `start`. */
function pool(from: number, to: number, apyOf: (epoch: number) => number, start = 1): EpochRecord[] {
  const records: EpochRecord[] = []
  let rate = start
  for (let epoch = from; epoch <= to; epoch++) {
    if (epoch > from) rate *= (1 + apyOf(epoch) / 100) ** (DAY / YEAR_MS)
    records.push(record(epoch, BigInt(Math.round(rate * 1e15)) * 1_000n))
  }
  return records
}

const near = (actual: number | undefined, expected: number, tolerance = 1e-6): void => {
  assert.ok(actual !== undefined && Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`)
}

test('a pool that grows evenly has that rate in both windows', () => {
  const estimate = estimateApy(
    pool(50, 99, () => 8.2),
    CLOCK,
  )
  near(estimate?.apy, 8.2)
  near(estimate?.short, 8.2)
  near(estimate?.long, 8.2)
})

test('without a history the estimate is undefined; for a pool that earned nothing it is 0', () => {
  assert.equal(estimateApy([], CLOCK), undefined)
  assert.equal(
    estimateApy(
      pool(99, 99, () => 5),
      CLOCK,
    ),
    undefined,
  )
  assert.equal(
    estimateApy(
      pool(1, 60, () => 5),
      CLOCK,
    ),
    undefined,
    'older than the long window',
  )
  near(
    estimateApy(
      pool(60, 99, () => 0),
      CLOCK,
    )?.apy,
    0,
  )
})

test('the current epoch and later ones do not count', () => {
  const history = pool(60, 104, (epoch) => (epoch >= 100 ? 90 : 5))
  near(estimateApy(history, CLOCK)?.apy, 5)
})

test('missing epochs do not change the estimate: the growth over a gap counts for its epochs', () => {
  const complete = pool(60, 99, () => 6)
  fc.assert(
    fc.property(fc.subarray(complete, { minLength: 2 }), (kept) => {
      const estimate = estimateApy(kept, CLOCK)
      if (estimate) near(estimate.long, 6)
    }),
  )
})

test('a spike in one epoch moves the APY by less than 5%', () => {
  for (const spike of [500, 5_000, 1e9]) {
    const apy = estimateApy(
      pool(60, 99, (epoch) => (epoch === 97 ? spike : 8)),
      CLOCK,
    )?.apy
    assert.ok(apy !== undefined && apy >= 8 - 1e-6 && apy < 8.4, `spike of ${spike}% gives ${apy}`)
  }
})

test('a pool without earnings over the short window has an APY of 0', () => {
  near(
    estimateApy(
      pool(60, 99, (epoch) => (epoch > 92 ? 0 : 10)),
      CLOCK,
    )?.apy,
    0,
  )
})

test('a foreign series mixed into the history is ignored, in any order and with repeated epochs', () => {
  const own = pool(60, 99, () => 5)
  const foreign = pool(60, 99, () => 30, 2.2).filter(({ epoch }) => epoch % 3 === 0)
  const mixed = [...own, ...foreign, ...own.slice(5, 9)]
  fc.assert(
    fc.property(fc.shuffledSubarray(mixed, { minLength: mixed.length }), (shuffled) => {
      near(estimateApy(shuffled, CLOCK)?.apy, 5)
    }),
  )
})

test('two interleaved series with gaps still give the rate of one pool', () => {
  const own = pool(60, 99, () => 5).filter(({ epoch }) => epoch % 5 !== 0 && epoch % 5 !== 3)
  const foreign = pool(60, 99, () => 5.5, 2.3).filter(({ epoch }) => epoch % 5 === 0 || epoch % 5 === 3)
  near(estimateApy([...own, ...foreign], CLOCK)?.apy, 5)
})

test('growth is exact even if two rates are equal as floats', () => {
  const tenMinutes = 600_000
  const records = Array.from({ length: 31 }, (_, index) => ({
    ...record(69 + index, 0n),
    rate: { tokens: 10n ** 15n * (10n ** 15n + BigInt(index)), shares: 10n ** 30n },
  }))
  const expected = 100 * Math.expm1(1e-15 * (YEAR_MS / tenMinutes))
  near(
    estimateApy(records, { currentEpoch: 100, epochDurationMs: tenMinutes })?.apy,
    expected,
    1e-6 * expected,
  )
})

test('the windows of the estimate equal those in the contract', () => {
  assert.deepEqual(APY_WINDOWS, APY_EPOCHS)
})
