import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from './system-clock.ts'

function workUntilAfter(time: number): void {
  while (Date.now() <= time);
}

test('within a turn of the event loop it is one time, and the next turn has its own', async () => {
  await nextTurn()
  const before = Date.now()
  const first = systemClock.now()
  assert.ok(first >= before)
  workUntilAfter(first)
  assert.equal(systemClock.now(), first)
  await Promise.resolve()
  assert.equal(systemClock.now(), first)
  await nextTurn()
  assert.ok(systemClock.now() > first)
})
