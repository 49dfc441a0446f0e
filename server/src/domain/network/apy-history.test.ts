import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EpochRecord } from '#ports/chain/staking-chain.ts'
import { apyHistory, networkApyHistory } from './apy-history.ts'
import { uptimeOf } from './uptime.ts'

const DAY = 86_400_000
const CLOCK = { currentEpoch: 10, epochDurationMs: DAY }

const record = (
  validatorId: string,
  epoch: number,
  rate: number,
  more: Partial<EpochRecord> = {},
): EpochRecord => ({
  validatorId,
  epoch,
  endedAt: epoch * DAY,
  rate: { tokens: BigInt(Math.round(rate * 1e12)), shares: 10n ** 12n },
  stake: 100n,
  commissionBps: 1_000,
  commissionSource: 'read',
  performed: true,
  ...more,
})

const daily = (percent: number): number => 100 * ((1 + percent / 100) ** 365 - 1)

test('each completed epoch with a known predecessor is one point, ascending', () => {
  const points = apyHistory(
    [record('a', 8, 1.002001), record('a', 7, 1.001), record('a', 6, 1), record('a', 10, 1.1)],
    CLOCK,
  )
  assert.deepEqual(
    points.map(({ epoch }) => epoch),
    [7, 8],
  )
  for (const point of points) assert.ok(Math.abs(point.apy - daily(0.1)) < 1e-4)
  assert.deepEqual(
    {
      commissionRate: points[0]?.commissionRate,
      totalStake: points[0]?.totalStake,
      endedAt: points[0]?.endedAt,
    },
    { commissionRate: 0.1, totalStake: 100n, endedAt: 7 * DAY },
  )
})

test('the history of the network is the mean of the pools, weighted by stake, with the sum of the stakes', () => {
  const records = [
    record('a', 1, 1),
    record('a', 2, 1.001, { stake: 300n }),
    record('b', 1, 1),
    record('b', 2, 1, { stake: 100n, commissionBps: 5_000 }),
  ]
  const [point, ...others] = networkApyHistory(
    Map.groupBy(records, ({ validatorId }) => validatorId),
    CLOCK,
  )
  assert.deepEqual(others, [])
  assert.ok(point && Math.abs(point.apy - 0.75 * daily(0.1)) < 1e-4)
  assert.equal(point.totalStake, 400n)
  assert.ok(Math.abs(point.commissionRate - 0.2) < 1e-12)
})

test('uptime is the share of known completed epochs with work done, and undefined if none is known', () => {
  const known = [true, true, false, undefined, true].map((performed, index) =>
    record('a', index, 1, { performed }),
  )
  assert.deepEqual(uptimeOf(known, 10, 'ika'), { share: 0.75, source: 'epoch_rewards' })
  assert.deepEqual(uptimeOf(known, 10, 'sandbox'), { share: 0.75, source: 'simulation' })
  assert.equal(uptimeOf(known.slice(3, 4), 10, 'ika'), undefined)
  assert.equal(uptimeOf([], 10, 'ika'), undefined)
  const running = [record('a', 10, 1, { performed: false })]
  assert.equal(uptimeOf(running, 10, 'ika'), undefined, 'the running epoch')
})
