import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareRuns } from './share-runs.ts'

test('a caller who comes during a run waits for the next one, and shares it', async () => {
  const ends: (() => void)[] = []
  const share = shareRuns(() => new Promise((resolve) => ends.push(resolve)))
  const first = [share(), share()]
  await Promise.resolve()
  const [later, latest] = [share(), share()]
  assert.equal(later, latest)
  assert.equal(ends.length, 1, 'two callers started one run')
  ends[0]?.()
  await Promise.all(first)
  await Promise.resolve()
  assert.equal(ends.length, 2)
  ends[1]?.()
  await later
})

test('after a failed run, the next caller gets a new one', async () => {
  let runs = 0
  const share = shareRuns(async () => {
    runs += 1
    if (runs === 1) throw new Error('the first')
  })
  await assert.rejects(share(), /the first/)
  await share()
  assert.equal(runs, 2)
})
