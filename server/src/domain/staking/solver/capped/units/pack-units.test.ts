import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mostByBruteForce, smallRooms, usedBy } from '../../../../../../test/support/planning/small-rooms.ts'
import { sumOf } from '../../../../../../test/support/planning/sum-of.ts'
import { runs } from '../../../../../../test/support/repetitions.ts'
import type { Rooms } from './most-within.ts'
import { packUnits } from './pack-units.ts'

function checkPacked({ bounds, caps }: Rooms, units: readonly bigint[], amount: bigint): void {
  assert.equal(sumOf(units), amount)
  for (const [at, bound] of bounds.entries())
    assert.ok((units[at] ?? -1n) >= 0n && (units[at] ?? 0n) <= bound)
  for (const { members, most } of caps) assert.ok(usedBy(units, members) <= most)
}

test('whole units are found if and only if there are any (brute force)', () => {
  fc.assert(
    fc.property(smallRooms({ slots: 6, groups: 6, bound: 3n, cap: 5n }), (one) => {
      const most = mostByBruteForce(one, 1n)
      for (let amount = 0n; amount <= sumOf(one.bounds); amount++) {
        const packed = packUnits(one, amount)
        assert.equal(packed.kind, amount <= most ? 'packed' : 'none', `${amount} of ${most}`)
        if (packed.kind === 'packed') checkPacked(one, packed.units, amount)
      }
    }),
    runs(300),
  )
})

/** Three groups of two members with the same cap: in fractions they hold 1.5 times the cap. */
const triangle = (first: number, most: bigint) =>
  [
    [0, 1],
    [1, 2],
    [2, 0],
  ].map((pair) => ({ members: new Set(pair.map((at) => first + at)), most }))

test('a split that is only possible with half units is refused, for amounts of every size', () => {
  for (const size of [1n, 3n, 10n ** 6n + 1n, 10n ** 18n + 1n]) {
    const one = { bounds: [size, size, size], caps: triangle(0, size) }
    const most = (3n * size) / 2n
    assert.equal(packUnits(one, most).kind, 'packed')
    assert.equal(packUnits(one, most + 1n).kind, 'none')
    const two = {
      bounds: Array.from({ length: 6 }, () => size),
      caps: [...triangle(0, size), ...triangle(3, size)],
    }
    assert.equal(packUnits(two, 2n * most).kind, 'packed')
    // Each triangle has half a unit left: together one unit in fractions, none in whole units.
    assert.equal(packUnits(two, 2n * most + 1n).kind, 'none')
  }
})
