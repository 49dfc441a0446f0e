import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultTimes, findLate } from './fault-times.ts'
import type { Event } from './history.ts'

const refusal = (startedAt: number, ms: number): Event => ({
  kind: 'call',
  url: 'http://one',
  agent: 'a',
  key: 'k',
  window: undefined,
  status: 503,
  startedAt,
  endedAt: startedAt + ms,
})
const span = (name: string, startedAt: number, mendedAt: number, servedAt: number) => ({
  name,
  startedAt,
  mendedAt,
  servedAt,
})

test('a refusal is counted for the fault during which its request was sent', () => {
  const spans = [span('Redis crashes', 0, 100, 150), span('Postgres restarts', 200, 300, 900)]
  const times = faultTimes(spans, [refusal(50, 30), refusal(140, 400), refusal(170, 999), refusal(250, 700)])
  assert.deepEqual(times, {
    'Redis crashes': { times: 1, refused: 2, slowestRefusalMs: 400, slowestReturnMs: 50 },
    'Postgres restarts': { times: 1, refused: 1, slowestRefusalMs: 700, slowestReturnMs: 600 },
  })
  assert.deepEqual(findLate(times), [])
})

test('late refusals and late recovery are violations for faults of stores, not for faults of instances', () => {
  const spans = [span('Redis crashes', 0, 100, 2_101), span('an instance is killed', 3_000, 3_100, 9_000)]
  const times = faultTimes(spans, [refusal(50, 1_101), refusal(3_050, 5_000)])
  assert.deepEqual(findLate(times), [
    'Redis crashes: a refusal took 1101 ms',
    'Redis crashes: served again after 2001 ms',
  ])
})

test('the time in which an instance was stopped does not count as delay by a store', () => {
  const spans = [
    span('Postgres restarts', 0, 100, 1_000),
    span('an instance stops for a while', 1_100, 2_000, 2_050),
  ]
  const times = faultTimes(spans, [refusal(900, 1_200), refusal(950, 130)])
  assert.equal(times['Postgres restarts']?.slowestRefusalMs, 250)
  const late = faultTimes(spans, [refusal(0, 2_060)])
  assert.deepEqual(findLate(late), ['Postgres restarts: a refusal took 1110 ms'])
})
