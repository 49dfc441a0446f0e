import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { trailingMinute } from './trailing-minute.ts'

const STEP_MS = 100

test('an event counts for exactly a minute, also at time 0', () => {
  const minute = trailingMinute()
  assert.equal(minute.add(0), 1)
  assert.equal(minute.count(59_999), 1)
  assert.equal(minute.count(60_000), 0)
  assert.equal(minute.add(60_000), 1)
})

test('the count is the number of events in the last 600 steps', () => {
  const waits = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200, size: 'max' })
  fc.assert(
    fc.property(waits, (moves) => {
      const minute = trailingMinute()
      const events: number[] = []
      let now = 0
      for (const move of moves) {
        // Most events follow each other closely, some after a long pause.
        now += move % 3 === 0 ? move : move % 250
        events.push(Math.floor(now / STEP_MS))
        const oldest = Math.floor(now / STEP_MS) - 600
        const expected = events.filter((step) => step > oldest).length
        assert.equal(minute.add(now), expected)
        assert.equal(minute.count(now), expected)
      }
    }),
  )
})
