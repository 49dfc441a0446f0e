import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plotRehearsals } from './plot.ts'
import { plotSplit } from './plot-split.ts'

test('the rehearsal is drawn to scale: equal APYs have the same x, lower ones are further left', () => {
  const split = { name: 'ours', seed: 1, tokens: 1_000_000n, promisedApy: undefined, missedShare: 0 }
  const picture = plotRehearsals(
    [
      { ...split, projectedApy: 10, realisedApy: 9 },
      { ...split, projectedApy: 9, realisedApy: 8, missedShare: 0.03 },
    ],
    'title',
  )
  const [a = 0, b = 0, c = 0, d = 0] = [...picture.matchAll(/<circle cx="([\d.]+)" cy="[\d.]+" r="5"/g)]
    .slice(2)
    .map(([, x]) => Number(x))
  assert(a > b && b === c && c > d)
  assert.match(picture, /3\.0 % missed/)
})

test('a split is drawn with a curve per validator, and names are escaped', () => {
  const point = (amount: string, marginalRate: number) => ({ amount, marginalRate })
  const curve = { validatorId: '0x1', points: [point('0', 12.5), point('2000000000000000', 10.2)] }
  const allocation = { validatorId: '0x1', name: 'A <b>', amount: '1000000000000000', weight: 1 }
  const picture = plotSplit(
    {
      symbol: 'SBX',
      decimals: 9,
      allocations: [{ ...allocation, projectedApy: 11, range: null }],
      explanation: {
        marginalRate: 11,
        chosen: [],
        next: null,
        curves: [curve, { ...curve, validatorId: '0x2' }],
      },
    },
    'title',
  )
  assert.equal(picture.match(/<polyline/g)?.length, 2)
  assert(picture.includes('A &lt;b>') && picture.includes('the next one, not chosen'))
})
