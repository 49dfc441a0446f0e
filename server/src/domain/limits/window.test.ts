import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLOCK_STEP_MS, DAY_MS, MINUTE_MS } from '../../durations.ts'
import { charge, remaining, secondsUntil } from './window.ts'

const NOON = Date.UTC(2026, 0, 1, 12)
const LIMITS = { rpm: 2, rpd: 5 }
const used = { minuteStart: NOON, minuteUsed: 2, dayStart: NOON - DAY_MS / 2, dayUsed: 3 }

test('a refused request is not counted; its quota has the usage and the ends of the windows', () => {
  const refused = charge(used, LIMITS, NOON + 1)
  assert.deepEqual(refused, {
    kind: 'limited',
    retryAt: NOON + MINUTE_MS,
    quota: {
      limits: LIMITS,
      usedMinute: 2,
      usedDay: 3,
      minuteEndsAt: NOON + MINUTE_MS,
      dayEndsAt: NOON + DAY_MS / 2,
    },
  })
})

test('a window up to CLOCK_STEP_MS ahead of the clock stays current; one further ahead is dropped', () => {
  assert.equal(charge(used, LIMITS, NOON - CLOCK_STEP_MS).kind, 'limited')
  const anew = charge(used, LIMITS, NOON - CLOCK_STEP_MS - 1)
  assert(anew.kind === 'charged')
  assert.deepEqual(
    [anew.used.minuteStart, anew.used.minuteUsed, anew.used.dayUsed],
    [NOON - CLOCK_STEP_MS - MINUTE_MS, 1, 4],
  )
})

test('`remaining` subtracts the usage from both limits and is never negative', () => {
  const { quota } = charge(used, { rpm: 9, rpd: 9 }, NOON)
  assert.deepEqual(remaining(quota), { rpm: 6, rpd: 5 })
  assert.deepEqual(remaining({ ...quota, limits: { rpm: 1, rpd: 4 } }), { rpm: 0, rpd: 0 })
  assert.deepEqual(remaining({ ...quota, limits: { rpm: 1, rpd: 1 } }), { rpm: 0, rpd: 0 })
})

test('`secondsUntil` rounds up and is at least 1', () => {
  const waits = [-5_000, 0, 1, 1_000, 1_001, 59_999, 86_400_000].map((ms) => secondsUntil(NOON + ms, NOON))
  assert.deepEqual(waits, [1, 1, 1, 1, 2, 60, 86_400])
})
