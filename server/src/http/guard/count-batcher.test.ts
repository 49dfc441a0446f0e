import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AddressHits, TrafficCount } from '#ports/stores/traffic-counters.ts'
import { batchCounts } from './count-batcher.ts'

type Question = {
  readonly hits: readonly AddressHits[]
  readonly answer: (count: TrafficCount) => void
  readonly fail: (error: Error) => void
}

/** Counters that answer when the test says so. */
function openQuestions() {
  const questions: Question[] = []
  const ask = batchCounts({
    traffic: {
      count: (hits) =>
        new Promise((answer, fail) => {
          questions.push({ hits, answer, fail })
        }),
    },
    perMinute: 5,
    seed: 1,
    judge: (client, { ofAddress, ofAll }) => `${client} ${ofAddress} ${ofAll}`,
  })
  return { questions, ask }
}

/** A question waits for a few turns of the event loop. */
async function untilAsked(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
}

const countOf = (before: number, ...ofAddresses: readonly number[]): TrafficCount => ({
  ofAddresses,
  before,
  minuteEndsAt: 60_000,
  now: 0,
})

test('those who come while a question is under way share the next one, each counted once and in order', async () => {
  const { questions, ask } = openQuestions()
  const first = ask('a')
  await untilAsked()
  const later = [ask('a'), ask('b'), ask('a')]
  await untilAsked()
  assert.equal(questions.length, 1)
  questions[0]?.answer(countOf(10, 1))
  assert.equal(await first, 'a 1 11')
  await untilAsked()
  assert.deepEqual(
    questions[1]?.hits.map(({ hits }) => hits),
    [2, 1],
  )
  questions[1]?.answer(countOf(11, 3, 7))
  assert.deepEqual(await Promise.all(later), ['a 2 12', 'b 7 12', 'a 3 13'])
})

test('whoever waits for a question that fails is told at once, and the next one is asked anew', async () => {
  const { questions, ask } = openQuestions()
  const first = ask('a')
  await untilAsked()
  const second = ask('b')
  questions[0]?.fail(new Error('away'))
  await assert.rejects(first, /away/)
  await assert.rejects(second, /away/)
  const third = ask('c')
  await untilAsked()
  questions[1]?.answer(countOf(0, 1))
  assert.equal(await third, 'c 1 1')
})

test('those who come one turn after the other share a question, but nobody waits for more than a few turns', async () => {
  const { questions, ask } = openQuestions()
  const asked: Promise<string>[] = []
  for (let turn = 0; turn < 40; turn += 1) {
    asked.push(ask('a'))
    await new Promise(setImmediate)
  }
  assert.equal(questions.length, 1)
  const hits = questions[0]?.hits[0]?.hits ?? 0
  assert(hits > 1 && hits < 40, `${hits} in one question`)
  questions[0]?.answer(countOf(0, hits))
  await untilAsked()
  questions[1]?.answer(countOf(hits, 40))
  assert.match((await Promise.all(asked)).at(-1) ?? '', /^a 40 /)
})
