import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTurns } from './commit-turns.ts'

test('a turn that asks for the next one, whenever it does, gets it afterwards and never beside it', async () => {
  let running = 0
  let taken = 0
  const done = Promise.withResolvers<void>()
  const turns = openTurns(async () => {
    running += 1
    taken += 1
    assert.equal(running, 1)
    if (taken < 3) turns.now()
    await new Promise(setImmediate)
    if (taken < 6) turns.now()
    await new Promise(setImmediate)
    running -= 1
    if (taken === 6) done.resolve()
  })
  turns.now()
  await done.promise
  await turns.last()
  assert.equal(taken, 7)
})
