import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placesOf } from '../src/data/colours.ts'

const KNOWN = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

test('a call has the same colour whatever its rank is, and no two share one', () => {
  const colours = (names: readonly string[]) => Object.fromEntries(placesOf(names, KNOWN, 6))
  assert.deepEqual(colours(['c', 'a', 'b']), { c: 2, a: 0, b: 1 })
  assert.deepEqual(colours(['b', 'c']), { b: 1, c: 2 })
  // Two calls with the same colour: the commoner one has it.
  assert.deepEqual(colours(['g', 'a']), { g: 0, a: 1 })
  for (const names of [KNOWN.slice(0, 6), KNOWN.slice(2), ['h', 'b', 'g', 'a', 'x', 'y']])
    assert.equal(new Set(Object.values(colours(names))).size, 6)
})
