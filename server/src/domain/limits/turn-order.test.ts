import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/repetitions.ts'
import { type Caller, turnOrder } from './turn-order.ts'

const callers = fc.array(
  fc.record({ group: fc.constantFrom('a', 'b', 'c', 'd'), member: fc.constantFrom('1', '2', '3') }),
  { maxLength: 40 },
)
const memberOf = ({ group, member }: Caller) => `${group} ${member}`

/** How often each name comes. */
function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** The number of each turn among those of the same name. */
function roundsOf(names: readonly string[]): readonly number[] {
  return names.map((name, at) => countsOf(names.slice(0, at)).get(name) ?? 0)
}

function takeAll<Item>(order: ReturnType<typeof turnOrder<Item>>): readonly Item[] {
  const items: Item[] = []
  for (let item = order.takeNext(); item !== undefined; item = order.takeNext()) items.push(item)
  return items
}

const isAscending = (numbers: readonly number[]) =>
  numbers.every((number, at) => number >= (numbers[at - 1] ?? number))

test('each group has its next turn after one of every other that waits, and so has each member of a group', () => {
  fc.assert(
    fc.property(callers, (waiting) => {
      const order = turnOrder<Caller & { readonly at: number }>()
      for (const [at, caller] of waiting.entries()) order.add(caller, { ...caller, at })
      assert.equal(order.size(), waiting.length)
      const taken = takeAll(order)
      assert.deepEqual(
        taken.map(({ at }) => at).toSorted((one, other) => one - other),
        [...waiting.keys()],
      )
      assert(isAscending(roundsOf(taken.map(({ group }) => group))))
      for (const group of ['a', 'b', 'c', 'd']) {
        const members = taken.filter((one) => one.group === group)
        assert(isAscending(roundsOf(members.map(({ member }) => member))))
      }
      for (const name of new Set(waiting.map(memberOf)))
        assert(isAscending(taken.filter((one) => memberOf(one) === name).map(({ at }) => at)))
      assert.equal(order.size(), 0)
    }),
    runs(300),
  )
})

test('in a full queue no group, and no member within its group, that wants more places has fewer than another', () => {
  fc.assert(
    fc.property(callers, fc.integer({ min: 1, max: 12 }), (asking, room) => {
      const order = turnOrder<Caller>()
      for (const caller of asking)
        if (order.size() < room || order.displaceFor(caller) !== undefined) order.add(caller, caller)
      assert.equal(order.size(), Math.min(room, asking.length))
      const kept = takeAll(order)
      assertFair(asking, kept, ({ group }) => group)
      for (const name of new Set(asking.map(({ group }) => group))) {
        const inGroup = ({ group }: Caller) => group === name
        assertFair(asking.filter(inGroup), kept.filter(inGroup), ({ member }) => member)
      }
    }),
    runs(300),
  )
})

/** Whoever has less than they asked for has at most one less than whoever has the most. */
function assertFair(
  asking: readonly Caller[],
  kept: readonly Caller[],
  nameOf: (caller: Caller) => string,
): void {
  const counts = countsOf(kept.map(nameOf))
  const most = Math.max(0, ...counts.values())
  for (const [name, asked] of countsOf(asking.map(nameOf))) {
    const own = counts.get(name) ?? 0
    assert(own === asked || own + 1 >= most, `${name} has ${own} of ${asked}, and another has ${most}`)
  }
}
