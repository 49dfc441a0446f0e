import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scheduleCommits } from './commit-schedule.ts'

test('a commit requested during a commit runs after it: two never run at once', async () => {
  let running = 0
  let taken = 0
  const done = Promise.withResolvers<void>()
  const schedule = scheduleCommits(async () => {
    running += 1
    taken += 1
    assert.equal(running, 1)
    if (taken < 3) schedule.commitSoon()
    await new Promise(setImmediate)
    if (taken < 6) schedule.commitSoon()
    await new Promise(setImmediate)
    running -= 1
    if (taken === 6) done.resolve()
  })
  schedule.commitSoon()
  await done.promise
  await schedule.close()
  assert.equal(taken, 7)
})

test('after a large batch the next commit waits for clients that return a moment later; after a small batch it does not', async () => {
  const sizes: number[] = []
  let requested = 0
  let taken = Promise.withResolvers<void>()
  const schedule = scheduleCommits(async () => {
    sizes.push(requested)
    requested = 0
    taken.resolve()
  }, 100)
  const ask = () => {
    requested += 1
    schedule.commitSoon()
  }
  const askTwice = async () => {
    taken = Promise.withResolvers()
    ask()
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    ask()
    await taken.promise
  }
  for (let caller = 0; caller < 20; caller += 1) ask()
  await taken.promise
  await askTwice()
  assert.deepEqual(sizes, [20, 2])
  await askTwice()
  assert.deepEqual(sizes, [20, 2, 1])
  await schedule.close()
  assert.deepEqual(sizes, [20, 2, 1, 1])
})

/** Runs the event loop until all immediate work is done. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await new Promise(setImmediate)
}

test('a commit does not wait for further requests once as many have returned as the last batch answered', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let taken = 0
  const schedule = scheduleCommits(async () => {
    taken += 1
  }, 1_000)
  const ask = (times: number) => {
    for (let caller = 0; caller < times; caller += 1) schedule.commitSoon()
  }
  ask(20)
  await settle()
  assert.equal(taken, 1)
  ask(20)
  await settle()
  assert.equal(taken, 2)
  ask(19)
  await settle()
  assert.equal(taken, 2)
  t.mock.timers.tick(1_000)
  await settle()
  assert.equal(taken, 3)
})

test('a commit cancels the timer of a later one, because it includes what the timer was set for', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let taken = 0
  const schedule = scheduleCommits(async () => {
    taken += 1
  })
  schedule.commitWithin(20)
  schedule.commitSoon()
  await settle()
  t.mock.timers.tick(20)
  await settle()
  assert.equal(taken, 1)
  schedule.commitWithin(20)
  t.mock.timers.tick(20)
  await settle()
  assert.equal(taken, 2)
})

test('of several requested commits the one that is due first is made, in whatever order they were requested', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const takenAt: number[] = []
  const commit = async () => void takenAt.push(now)
  const schedule = scheduleCommits(commit, 0, () => now)
  const pass = async (ms: number) => {
    now += ms
    t.mock.timers.tick(ms)
    await settle()
  }
  schedule.commitWithin(1_000)
  await pass(990)
  schedule.commitWithin(500)
  await pass(9)
  assert.deepEqual(takenAt, [])
  await pass(1)
  assert.deepEqual(takenAt, [1_000], 'a later one does not put off an earlier one')
  schedule.commitWithin(1_000)
  await pass(100)
  schedule.commitWithin(500)
  await pass(500)
  assert.deepEqual(takenAt, [1_000, 1_600], 'an earlier one replaces a later one')
  await pass(10_000)
  assert.deepEqual(takenAt, [1_000, 1_600])
})

for (const [when, lastBatch, turns, expected] of [
  ['is gathered for', 1, 0, 4],
  ['lingers', 20, 40, 4],
  ['runs', 1, 5, 5],
] as const) {
  test(`closing while a commit ${when} runs the last commits one at a time, until nothing more is requested`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let running = 0
    let taken = 0
    let rest = 0
    const schedule = scheduleCommits(async () => {
      running += 1
      taken += 1
      assert.equal(running, 1)
      if (rest > 0) {
        rest -= 1
        schedule.commitSoon()
      }
      await settle()
      running -= 1
    }, 1_000)
    for (let caller = 0; caller < lastBatch; caller += 1) schedule.commitSoon()
    await settle()
    await settle()
    assert.deepEqual([taken, running], [1, 0])
    schedule.commitSoon()
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
    assert.equal(running, when === 'runs' ? 1 : 0)
    if (when === 'runs') schedule.commitSoon()
    rest = 2
    await schedule.close()
    assert.equal(taken, expected)
    t.mock.timers.tick(1_000)
    await settle()
    assert.deepEqual([taken, running], [expected, 0], 'nothing is committed after the last')
  })
}
