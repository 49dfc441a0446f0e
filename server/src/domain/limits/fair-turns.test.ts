import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../fault.ts'
import { fairTurns, ownTurns, type TurnRules } from './fair-turns.ts'

const OVERLOADED = { code: 'service_overloaded' }

/** Work that ends when the test says so, in the order in which it was begun. */
function openTurns(rules: Partial<TurnRules> = {}) {
  const inTurn = fairTurns({ atOnce: 1, waitingOfEach: 10, waiting: 100, ...rules })
  const begun: string[] = []
  const atWork: PromiseWithResolvers<void>[] = []
  const ask = (name: string) =>
    inTurn(name.slice(0, 3), () => {
      const end = Promise.withResolvers<void>()
      begun.push(name)
      atWork.push(end)
      return end.promise.then(() => name)
    })
  return {
    begun,
    ask,
    /** Ends what was begun first, and lets the next begin. */
    async endOne(error?: Error) {
      const first = atWork.shift()
      if (error) first?.reject(error)
      else first?.resolve()
      await new Promise(setImmediate)
    },
  }
}

test('no more than so many are at work, and each that waits has its turn', async () => {
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

test('who sends once waits behind one of each other, not behind all that they have sent', async () => {
  const { begun, ask, endOne } = openTurns()
  const answers = ['eve 1', 'eve 2', 'eve 3', 'mal 1', 'mal 2', 'ann'].map(ask)
  for (const _ of answers) await endOne()
  assert.deepEqual(begun, ['eve 1', 'eve 2', 'mal 1', 'ann', 'eve 3', 'mal 2'])
  await Promise.all(answers)
})

test('work that fails ends its turn, and is told to who asked', async () => {
  const { begun, ask, endOne } = openTurns()
  const failed = assert.rejects(ask('eve'), /broken/)
  const next = ask('ann')
  await endOne(new Error('broken'))
  await failed
  assert.deepEqual(begun, ['eve', 'ann'])
  await endOne()
  assert.equal(await next, 'ann')
})

test('each may have so many waiting, and one more is refused', async () => {
  const { ask, endOne } = openTurns({ waitingOfEach: 2 })
  const answers = ['eve 1', 'eve 2', 'eve 3'].map(ask)
  await assert.rejects(ask('eve 4'), OVERLOADED)
  const ann = ask('ann')
  for (const _ of [...answers, ann]) await endOne()
  assert.deepEqual(await Promise.all([...answers, ann]), ['eve 1', 'eve 2', 'eve 3', 'ann'])
})

test('where no more may wait, who has most of them makes room, and who has as many as others does not', async () => {
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

test('with turns of their own, one of each is at work, nobody waits for others, and one too many is told why', async () => {
  const inTurn = ownTurns(2, () => new Fault('service_overloaded', 'Send fewer at once.'))
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
