import assert from 'node:assert/strict'
import { test } from 'node:test'
import { halfOf, newSearchWork, TooMuchWork, withinWork } from './search-work.ts'

function work(units: number): void {
  newSearchWork().units -= units
}

test('all searches of a computation share its budget, and a search takes its own limit from it, too', () => {
  const twice = () => {
    work(60)
    halfOf(newSearchWork()).units -= 40
    return 'done'
  }
  assert.equal(withinWork(100, twice), 'done')
  assert.throws(() => withinWork(99, twice), TooMuchWork)
})

test('a budget ends with its computation, also with one that fails', () => {
  assert.throws(() => withinWork(1, () => work(2)), TooMuchWork)
  work(1_000_000)
  assert.throws(
    () =>
      withinWork(10, () => {
        assert.throws(() => withinWork(1, () => work(2)), TooMuchWork)
        work(11)
      }),
    TooMuchWork,
  )
})
