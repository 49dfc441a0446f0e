import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../fault.ts'
import { fairTurns, queuePerCaller, type TurnRules } from './fair-turns.ts'
import type { Caller } from './turn-order.ts'

const OVERLOADED = { code: 'service_overloaded' }

/** The caller of a request: `ann 2` is one of `ann` alone, `eve@net 2` one of `eve` in the group `net`. */
function callerOf(name: string): Caller {
  const [caller = ''] = name.split(' ')
  const [member = '', group = member] = caller.split('@')
  return { group, member }
}

/** A queue with jobs that the test ends, in the order in which they were started. */
function openTurns(rules: Partial<TurnRules> = {}) {
  const inTurn = fairTurns({ atOnce: 1, waitingOfEach: 10, waiting: 100, ...rules })
  const begun: string[] = []
  const atWork: PromiseWithResolvers<void>[] = []
  const ask = (name: string) =>
    inTurn(callerOf(name), () => {
      const end = Promise.withResolvers<void>()
      begun.push(name)
      atWork.push(end)
      return end.promise.then(() => name)
    })
  return {
    begun,
    ask,
    /** Ends the oldest running job, and lets the next one start. */
    async endOne(error?: Error) {
      const first = atWork.shift()
      if (error) first?.reject(error)
      else first?.resolve()
      await new Promise(setImmediate)
    },
  }
}

test('at most `atOnce` jobs run at a time, and all waiting jobs get their turn', async () => {
  const { begun, ask, endOne } = openTurns({ atOnce: 2 })
  const answers = ['ann', 'bob', 'eve 1', 'eve 2'].map(ask)
  assert.deepEqual(begun, ['ann', 'bob'])
  for (const count of [3, 4, 4, 4]) {
    await endOne()
    assert.equal(begun.length, count)
  }
  assert.deepEqual(await Promise.all(answers), ['ann', 'bob', 'eve 1', 'eve 2'])
  const later = ask('ann')
  assert.equal(begun.length, 5, 'a turn that nobody waits for is free again')
  await endOne()
  await later
})

test('a caller with one request waits for one request of each other caller, not for all of theirs', async () => {
  const { begun, ask, endOne } = openTurns()
  const answers = ['eve 1', 'eve 2', 'eve 3', 'mal 1', 'mal 2', 'ann'].map(ask)
  for (const _ of answers) await endOne()
  assert.deepEqual(begun, ['eve 1', 'mal 1', 'ann', 'eve 2', 'mal 2', 'eve 3'])
  await Promise.all(answers)
})

test('a newcomer waits for what runs, not for the next request of whoever runs it', async () => {
  const { begun, ask, endOne } = openTurns()
  const eve = ['eve@net 1', 'mal@net 1', 'eve@net 2', 'mal@net 2'].map(ask)
  await endOne()
  const ann = ask('ann')
  const bot = ask('bot@net')
  for (const _ of [...eve, ann, bot]) await endOne()
  assert.deepEqual(begun, ['eve@net 1', 'mal@net 1', 'ann', 'eve@net 2', 'bot@net', 'mal@net 2'])
  await Promise.all([...eve, ann, bot])
})

test('a failing job ends its turn and rejects the promise of its caller', async () => {
  const { begun, ask, endOne } = openTurns()
  const failed = assert.rejects(ask('eve'), /broken/)
  const next = ask('ann')
  await endOne(new Error('broken'))
  await failed
  assert.deepEqual(begun, ['eve', 'ann'])
  await endOne()
  assert.equal(await next, 'ann')
})

test('a caller may have `waitingOfEach` waiting requests; one more is refused', async () => {
  const { ask, endOne } = openTurns({ waitingOfEach: 2 })
  const answers = ['eve 1', 'eve 2', 'eve 3'].map(ask)
  await assert.rejects(ask('eve 4'), OVERLOADED)
  const ann = ask('ann')
  for (const _ of [...answers, ann]) await endOne()
  assert.deepEqual(await Promise.all([...answers, ann]), ['eve 1', 'eve 2', 'eve 3', 'ann'])
})

test('a full queue drops the newest request of the longest queue for a newcomer, unless that is no longer than theirs', async () => {
  const { begun, ask, endOne } = openTurns({ waiting: 3 })
  const first = ask('mal 1')
  const [kept, alsoKept] = [ask('eve 1'), ask('eve 2')]
  const displaced = assert.rejects(ask('eve 3'), OVERLOADED)
  const ann = ask('ann')
  await displaced
  const alsoDisplaced = assert.rejects(alsoKept, OVERLOADED)
  const bob = ask('bob')
  await alsoDisplaced
  await assert.rejects(ask('cat'), OVERLOADED)
  for (const _ of [first, kept, ann, bob]) await endOne()
  await Promise.all([first, kept, ann, bob])
  assert.deepEqual(begun, ['mal 1', 'eve 1', 'ann', 'bob'])
})

test('groups take turns, and within a group its members, however many a group has', async () => {
  const { begun, ask, endOne } = openTurns()
  const names = ['eve@net', 'eve@net 2', 'mal@net', 'bot@net', 'eve@net 3', 'ann', 'eve@far']
  const answers = names.map(ask)
  for (const _ of answers) await endOne()
  assert.deepEqual(begun, ['eve@net', 'ann', 'eve@far', 'mal@net', 'bot@net', 'eve@net 2', 'eve@net 3'])
  await Promise.all(answers)
})

test('a full queue of many members of one group drops their newest request for a newcomer of another group', async () => {
  const { begun, ask, endOne } = openTurns({ waiting: 3 })
  const kept = ['one@net', 'two@net', 'three@net'].map(ask)
  const displaced = assert.rejects(ask('four@net'), OVERLOADED)
  const ann = ask('ann')
  await displaced
  await assert.rejects(ask('five@net'), OVERLOADED)
  for (const _ of [...kept, ann]) await endOne()
  await Promise.all([...kept, ann])
  assert.deepEqual(begun, ['one@net', 'ann', 'two@net', 'three@net'])
})

test('within a group that fills the queue, a member with many requests gives way to one with few', async () => {
  const { begun, ask, endOne } = openTurns({ waiting: 3 })
  const kept = ['eve@net', 'eve@net 2', 'eve@net 3'].map(ask)
  const displaced = assert.rejects(ask('eve@net 4'), OVERLOADED)
  const ann = ask('ann@net')
  await displaced
  await assert.rejects(ask('eve@net 5'), OVERLOADED)
  for (const _ of [...kept, ann]) await endOne()
  await Promise.all([...kept, ann])
  assert.deepEqual(begun, ['eve@net', 'ann@net', 'eve@net 2', 'eve@net 3'])
})

test('queuePerCaller: one job per caller at a time, nobody waits for others, and too many get the given refusal', async () => {
  const inTurn = queuePerCaller(2, () => new Fault('service_overloaded', 'Send fewer at once.'))
  const ends = Promise.withResolvers<void>()
  const begun: string[] = []
  const ask = (who: string) =>
    inTurn(who, () => {
      begun.push(who)
      return ends.promise
    })
  const answers = ['eve', 'eve', 'eve', 'ann'].map(ask)
  assert.deepEqual(begun, ['eve', 'ann'])
  await assert.rejects(ask('eve'), { ...OVERLOADED, message: 'Send fewer at once.' })
  ends.resolve()
  await Promise.all(answers)
  await ask('eve')
  assert.deepEqual(begun, ['eve', 'ann', 'eve', 'eve', 'eve'])
})
