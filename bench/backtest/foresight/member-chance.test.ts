import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HistoryEpoch, HistoryRow } from '../read-history.ts'
import { fitChance } from './member-chance.ts'

const rowOf = (validator: string, stake: number): HistoryRow => ({
  validator,
  stake: BigInt(Math.round(stake * 1e6)),
  commission: 0,
  uptime: 1,
  apy: 0,
})

/** Two epochs with 20 validators at each headroom above the one outside; `gone` says how many of them leave. */
function twoEpochs(gone: ReadonlyMap<number, number>): readonly HistoryEpoch[] {
  const all = [...gone].flatMap(([headroom, count]) =>
    Array.from({ length: 20 }, (_, at) => ({
      row: rowOf(`${headroom} ${at}`, 1 + headroom),
      stays: at >= count,
    })),
  )
  const epochOf = (epoch: number, rows: readonly HistoryRow[]): HistoryEpoch => ({
    epoch,
    rows: new Map(rows.map((row) => [row.validator, row])),
    outside: [rowOf('outside', 1)],
  })
  const staying = all.filter(({ stays }) => stays)
  return [
    epochOf(
      1,
      all.map(({ row }) => row),
    ),
    epochOf(
      2,
      staying.map(({ row }) => row),
    ),
  ]
}

test('the fitted chance of membership reproduces the observed rates at the edge and away from it', () => {
  // Half leave at the edge, and half as many with each further tenth of headroom: fading = 0.1 / ln 2.
  const { atEdge, fading } = fitChance(
    [
      twoEpochs(
        new Map([
          [0, 10],
          [0.1, 5],
          [0.2, 2.5],
          [0.3, 1.25],
        ]),
      ),
    ],
    [1],
  )
  assert(Math.abs(atEdge - 0.5) < 0.08, `${atEdge} at the edge`)
  assert(Math.abs(fading - 0.144) < 0.05, `fading over ${fading}`)
})

test('without evictions the fitted chance is nearly 1, and validators far above the edge do not change the fit', () => {
  const safe = fitChance(
    [
      twoEpochs(
        new Map([
          [0, 0],
          [0.1, 0],
        ]),
      ),
    ],
    [1],
  )
  assert(safe.atEdge <= 0.02)
  const near = new Map([
    [0, 10],
    [0.1, 5],
  ])
  const farToo = new Map([...near, [1.5, 20]])
  assert.deepEqual(fitChance([twoEpochs(near)], [1]), fitChance([twoEpochs(farToo)], [1]))
})

test('epochs in which nobody is outside do not change the fit, and alone show no risk', () => {
  const evictions = twoEpochs(
    new Map([
      [0, 10],
      [0.1, 5],
    ]),
  )
  const withoutRivals = evictions.map((epoch) => ({ ...epoch, outside: [] }))
  assert.deepEqual(fitChance([evictions, withoutRivals], [1]), fitChance([evictions], [1]))
  assert.equal(fitChance([withoutRivals], [1]).atEdge, 0)
})
