import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placesOf } from '../src/data/colours.ts'

const KNOWN = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

test('a call has the same colour at every rank, and no two calls share a colour', () => {
  const colours = (names: readonly string[]) => Object.fromEntries(placesOf(names, KNOWN, 6))
  assert.deepEqual(colours(['c', 'a', 'b']), { c: 2, a: 0, b: 1 })
  assert.deepEqual(colours(['b', 'c']), { b: 1, c: 2 })
  // Of two calls with the same colour the more frequent one keeps it.
  assert.deepEqual(colours(['g', 'a']), { g: 0, a: 1 })
  for (const names of [KNOWN.slice(0, 6), KNOWN.slice(2), ['h', 'b', 'g', 'a', 'x', 'y']])
    assert.equal(new Set(Object.values(colours(names))).size, 6)
})
