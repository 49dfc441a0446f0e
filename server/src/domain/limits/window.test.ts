import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLOCK_STEP_MS, DAY_MS, MINUTE_MS } from '../../durations.ts'
import { charge, remaining, secondsUntil } from './window.ts'

const NOON = Date.UTC(2026, 0, 1, 12)
const LIMITS = { rpm: 2, rpd: 5 }
const used = { minuteStart: NOON, minuteUsed: 2, dayStart: NOON - DAY_MS / 2, dayUsed: 3 }

test('a refused request is not counted, and its quota says what was used and until when', () => {
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

test('a window that is ahead by the step a clock may take holds; one that is further ahead is forgotten', () => {
  assert.equal(charge(used, LIMITS, NOON - CLOCK_STEP_MS).kind, 'limited')
  const anew = charge(used, LIMITS, NOON - CLOCK_STEP_MS - 1)
  assert(anew.kind === 'charged')
  assert.deepEqual(
    [anew.used.minuteStart, anew.used.minuteUsed, anew.used.dayUsed],
    [NOON - CLOCK_STEP_MS - MINUTE_MS, 1, 4],
  )
})

test('what remains is what is left of both limits, and never less than nothing', () => {
  const { quota } = charge(used, { rpm: 9, rpd: 9 }, NOON)
  assert.deepEqual(remaining(quota), { rpm: 6, rpd: 5 })
  assert.deepEqual(remaining({ ...quota, limits: { rpm: 1, rpd: 4 } }), { rpm: 0, rpd: 0 })
  assert.deepEqual(remaining({ ...quota, limits: { rpm: 1, rpd: 1 } }), { rpm: 0, rpd: 0 })
})

test('seconds to wait are whole, enough, and at least one', () => {
  const waits = [-5_000, 0, 1, 1_000, 1_001, 59_999, 86_400_000].map((ms) => secondsUntil(NOON + ms, NOON))
  assert.deepEqual(waits, [1, 1, 1, 1, 2, 60, 86_400])
})
