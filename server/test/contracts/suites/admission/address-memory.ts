import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '../../../../src/durations.ts'
import { NOON, type OpenData } from './admitting-store.ts'

/** For a store that belongs to one instance, which counts addresses by itself. */
export function addressMemorySuite(name: string, open: OpenData): void {
  test(`address counts: ${name}: what was noted is there after a restart, for its minute`, async () => {
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
}
