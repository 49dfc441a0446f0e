import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '../../../../src/durations.ts'
import { requestOf } from '../../../limits/admission-store.ts'
import { NOON, type OpenData } from './admitting-store.ts'

/** For stores of a single instance, which counts addresses in its own memory. */
export function addressMemorySuite(name: string, open: OpenData): void {
  test(`address counts: ${name}: a count that was noted survives a restart, for its minute only`, async () => {
    await using data = await open()
    {
      await using store = await data.open()
      store.admission.noteAddress({ minuteStart: NOON, low: 1, high: 2, hits: 7 })
      store.admission.noteAddress({ minuteStart: NOON, low: 1, high: 2, hits: 8 })
    }
    await using store = await data.open()
    const kept = [{ minuteStart: NOON, low: 1, high: 2, hits: 8 }]
    assert.deepEqual(await store.admission.addressCounts(NOON), kept)
    assert.deepEqual(await store.admission.addressCounts(NOON + MINUTE_MS), [])
  })

  test(`address counts: ${name}: addresses that share half of their hash are told apart`, async () => {
    await using data = await open()
    const counts = [
      { minuteStart: NOON, low: 1, high: 2, hits: 7 },
      { minuteStart: NOON, low: 1, high: 3, hits: 50 },
      { minuteStart: NOON, low: 2, high: 3, hits: 9 },
    ]
    {
      await using store = await data.open()
      for (const hits of [1, 5]) for (const count of counts) store.admission.noteAddress({ ...count, hits })
      for (const count of counts) store.admission.noteAddress(count)
    }
    await using store = await data.open()
    const kept = await store.admission.addressCounts(NOON)
    assert.deepEqual(
      kept.toSorted((a, b) => a.high - b.high || a.low - b.low),
      counts,
    )
  })

  test(`address counts: ${name}: the newest count of each address is kept until its minute is over, for few addresses and many`, async () => {
    await using data = await open()
    const expected = new Map<number, number>()
    const high = 2 ** 32 - 1
    {
      await using store = await data.open()
      for (const [round, size] of [1, 40, 5, 25, 2].entries()) {
        for (let low = 1; low <= size; low += 1) {
          const hits = round * 10 + low
          store.admission.noteAddress({ minuteStart: NOON, low, high, hits })
          expected.set(low, hits)
        }
        await store.admission.admit(requestOf('', NOON, { claim: { kind: 'nobody' } }))
      }
    }
    await using store = await data.open()
    const kept = await store.admission.addressCounts(NOON)
    assert.deepEqual(new Map(kept.map(({ low, hits }) => [low, hits])), expected)
    assert.equal(kept.length, expected.size)
    assert(kept.every((count) => count.high === high && count.minuteStart === NOON))

    const minuteStart = NOON + MINUTE_MS
    for (let low = 1; low <= 30; low += 1) store.admission.noteAddress({ minuteStart, low, high: 1, hits: 5 })
    await store.admission.admit(requestOf('', minuteStart, { claim: { kind: 'nobody' } }))
    assert.deepEqual(await store.admission.addressCounts(NOON), [])
    assert.equal((await store.admission.addressCounts(minuteStart)).length, 30)
  })
}
