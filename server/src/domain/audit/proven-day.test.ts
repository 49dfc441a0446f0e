import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAYS_OF_PROOF, provenDay } from './proven-day.ts'

const TODAY = 20_000
const daysUpTo = (last: number, count: number) =>
  Array.from({ length: count }, (_, at) => last - at).reverse()

test('a log without a gap proves today', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), (count) => {
      assert.equal(provenDay(daysUpTo(TODAY, count), TODAY), TODAY)
    }),
  )
})

test('fewer than DAYS_OF_PROOF wrong days advance the proven day by at most their number plus one', () => {
  const wrong = fc.uniqueArray(fc.integer({ min: -1_000, max: 1_000 }), { maxLength: DAYS_OF_PROOF - 1 })
  fc.assert(
    fc.property(
      fc.integer({ min: DAYS_OF_PROOF, max: 100 }),
      wrong,
      fc.nat(2_000),
      (count, offsets, ahead) => {
        const recorded = [...new Set([...daysUpTo(TODAY, count), ...offsets.map((offset) => TODAY + offset)])]
        const proven = provenDay(recorded, TODAY + ahead)
        assert(proven !== undefined && proven >= TODAY && proven <= TODAY + offsets.length + 1)
      },
    ),
  )
})

test('with a clock that is behind, no day after its own is proven', () => {
  assert.equal(provenDay(daysUpTo(TODAY, 30), TODAY - 12), TODAY - 12)
  assert.equal(provenDay(daysUpTo(TODAY, 30), TODAY - 400), undefined)
})

test('days after a gap are proven once DAYS_OF_PROOF of them are recorded', () => {
  const before = daysUpTo(TODAY, 10)
  for (let since = 1; since <= DAYS_OF_PROOF; since += 1) {
    const now = TODAY + 95 + since
    const expected = since < DAYS_OF_PROOF ? TODAY : now
    assert.equal(provenDay([...before, ...daysUpTo(now, since)], now), expected)
  }
})
