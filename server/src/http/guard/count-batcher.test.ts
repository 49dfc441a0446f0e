import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AddressHits, TrafficCount } from '#ports/stores/traffic-counters.ts'
import { batchCounts } from './count-batcher.ts'

type PendingCount = {
  readonly hits: readonly AddressHits[]
  readonly answer: (count: TrafficCount) => void
  readonly fail: (error: Error) => void
}

/** A batcher on counters that answer when the test tells them to. */
function openCounts() {
  const pending: PendingCount[] = []
  const count = batchCounts<string, undefined>({
    traffic: {
      count: (hits) =>
        new Promise((answer, fail) => {
          pending.push({ hits, answer, fail })
        }),
    },
    perMinute: 5,
    seed: 1,
    judge: (client, { ofAddress, ofAll }) => `${client} ${ofAddress} ${ofAll}`,
  })
  return { pending, count: (client: string) => count(client, undefined) }
}

/** A batch is sent after a few turns of the event loop. */
async function untilSent(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
}

const countOf = (before: number, ...ofAddresses: readonly number[]): TrafficCount => ({
  ofAddresses,
  before,
  minuteEndsAt: 60_000,
  now: 0,
})

test('requests that arrive during a round trip share the next batch, each counted once and in order', async () => {
  const { pending, count } = openCounts()
  const first = count('a')
  await untilSent()
  const later = [count('a'), count('b'), count('a')]
  await untilSent()
  assert.equal(pending.length, 1)
  pending[0]?.answer(countOf(10, 1))
  assert.equal(await first, 'a 1 11')
  await untilSent()
  assert.deepEqual(
    pending[1]?.hits.map(({ hits }) => hits),
    [2, 1],
  )
  pending[1]?.answer(countOf(11, 3, 7))
  assert.deepEqual(await Promise.all(later), ['a 2 12', 'b 7 12', 'a 3 13'])
})

test('a failed batch rejects its requests and those waiting behind it; the next request starts a new batch', async () => {
  const { pending, count } = openCounts()
  const first = count('a')
  await untilSent()
  const second = count('b')
  pending[0]?.fail(new Error('away'))
  await assert.rejects(first, /away/)
  await assert.rejects(second, /away/)
  const third = count('c')
  await untilSent()
  pending[1]?.answer(countOf(0, 1))
  assert.equal(await third, 'c 1 1')
})

test('requests in successive turns of the event loop share a batch, which waits only for a bounded number of turns', async () => {
  const { pending, count } = openCounts()
  const verdicts: Promise<string>[] = []
  for (let turn = 0; turn < 40; turn += 1) {
    verdicts.push(count('a'))
    await new Promise(setImmediate)
  }
  assert.equal(pending.length, 1)
  const hits = pending[0]?.hits[0]?.hits ?? 0
  assert(hits > 1 && hits < 40, `${hits} in one batch`)
  pending[0]?.answer(countOf(0, hits))
  await untilSent()
  pending[1]?.answer(countOf(hits, 40))
  assert.match((await Promise.all(verdicts)).at(-1) ?? '', /^a 40 /)
})
