import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../durations.ts'
import { followingClock } from './following-clock.ts'

const START = Date.UTC(2026, 0, 1)

/** A machine whose wall clock and uptime the test sets. */
function machine() {
  let [wall, up] = [START, 5_000.25]
  const clock = followingClock({ own: { now: () => wall }, elapsed: () => up })
  return {
    clock,
    setWall: (now: number) => {
      wall = now
    },
    pass: (ms: number) => {
      wall += ms
      up += ms
    },
  }
}

test('the store’s time advances by elapsed time, independent of the machine’s wall clock', () => {
  const { clock, setWall, pass } = machine()
  assert.equal(clock.now(), START)
  const storeNow = START + 3 * DAY_MS
  clock.follow?.(storeNow)
  for (const wrong of [-400 * DAY_MS, 0, 400 * DAY_MS]) {
    setWall(START + wrong)
    assert.equal(clock.now(), storeNow)
  }
  pass(1_500)
  assert.equal(clock.now(), storeNow + 1_500)
})

test('a delayed store time is ignored; a store clock that was set back is followed', () => {
  const { clock, pass } = machine()
  clock.follow?.(START)
  pass(10_000)
  clock.follow?.(START + 9_500)
  assert.equal(clock.now(), START + 10_000)
  clock.follow?.(START + 10_400)
  assert.equal(clock.now(), START + 10_400)
  clock.follow?.(START - DAY_MS)
  assert.equal(clock.now(), START - DAY_MS)
})
