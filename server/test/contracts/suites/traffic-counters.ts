import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TrafficCounters } from '#ports/stores/traffic-counters.ts'
import { MINUTE_MS } from '../../../src/durations.ts'
import { type TestClock, testClock } from '../../support/test-clock.ts'

export const PER_MINUTE = 5

type Opened = AsyncDisposable & {
  /** The counters of one more instance on the same store. */
  open(clock: TestClock): TrafficCounters
}

const address = (low: number, hits = 1) => ({ low, high: 7, hits })

/** The guarantees of every store of counters that instances share. */
export function trafficCountersSuite(name: string, open: () => Promise<Opened>): void {
  suite(`traffic counters: ${name}`, () => {
    test('instances share their counts, which are separate for each address', async () => {
      await using store = await open()
      const clock = testClock()
      const [one, other] = [store.open(clock), store.open(clock)]
      assert.deepEqual((await one.count([address(1), address(2, 2)])).ofAddresses, [1, 2])
      assert.deepEqual((await other.count([address(2), address(1, 3)])).ofAddresses, [3, 4])
    })

    test('a count names the end of its minute, and the next minute is a new one', async () => {
      await using store = await open()
      const clock = testClock()
      const start = clock.now() - (clock.now() % MINUTE_MS)
      const counters = store.open(clock)
      const first = await counters.count([address(1, 3)])
      assert.deepEqual([first.now, first.minuteEndsAt], [clock.now(), start + MINUTE_MS])
      clock.set(start + MINUTE_MS)
      assert.deepEqual((await counters.count([address(1)])).ofAddresses, [1])
    })

    test('a clock that steps back, or is behind on another instance, refills nothing', async () => {
      await using store = await open()
      const clock = testClock()
      const slow = testClock(clock.now() - 3 * MINUTE_MS)
      await store.open(clock).count([address(1, 4)])
      assert.deepEqual((await store.open(slow).count([address(1)])).ofAddresses, [5])
      clock.advance(-MINUTE_MS)
      assert.deepEqual((await store.open(clock).count([address(1)])).ofAddresses, [6])
    })

    test('counts made while the clock was an hour ahead limit nobody once it is corrected', async () => {
      await using store = await open()
      const clock = testClock()
      const counters = store.open(clock)
      clock.advance(60 * MINUTE_MS)
      await counters.count([address(1, PER_MINUTE + 1)])
      clock.advance(-60 * MINUTE_MS)
      const { ofAddresses, minuteEndsAt, now } = await counters.count([address(1)])
      assert.deepEqual(ofAddresses, [1])
      assert(minuteEndsAt - now <= MINUTE_MS)
    })

    test('the sum is that of the trailing minute, without requests above the limit of an address', async () => {
      await using store = await open()
      const clock = testClock()
      const counters = store.open(clock)
      assert.equal((await counters.count([address(1, 3)])).before, 0)
      assert.equal((await counters.count([address(1, 9), address(2, 1)])).before, 3)
      clock.advance(30_000)
      assert.equal((await counters.count([address(3, 2)])).before, PER_MINUTE + 1)
      clock.advance(31_000)
      assert.equal((await counters.count([address(4)])).before, 2)
    })

    test('counting no address reads the sum and adds nothing to it', async () => {
      await using store = await open()
      const clock = testClock()
      const counters = store.open(clock)
      await counters.count([address(1, 3)])
      for (const _ of [1, 2]) {
        const { before, now, ofAddresses } = await counters.count([])
        assert.deepEqual({ before, now, ofAddresses }, { before: 3, now: clock.now(), ofAddresses: [] })
      }
    })

    test('of simultaneous counts each is counted once', async () => {
      await using store = await open()
      const clock = testClock()
      const instances = [store.open(clock), store.open(clock), store.open(clock)]
      const counts = await Promise.all(
        Array.from({ length: 60 }, (_, at) => instances[at % 3]?.count([address(2), address(1)])),
      )
      const seen = counts.map((count) => count?.ofAddresses[1] ?? 0).sort((a, b) => a - b)
      assert.deepEqual(
        seen,
        seen.map((_, at) => at + 1),
      )
    })
  })
}
