import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../../../test/support/split-problems.ts'
import type { Rooms } from './most-within.ts'
import { packUnits } from './pack-units.ts'

const rooms = (slots: number, groups: number): fc.Arbitrary<Rooms> =>
  fc
    .record({
      bounds: fc.array(fc.bigInt(0n, 3n), { minLength: 1, maxLength: slots }),
      caps: fc.array(fc.record({ mask: fc.nat(2 ** slots - 1), most: fc.bigInt(0n, 5n) }), {
        maxLength: groups,
      }),
    })
    .map(({ bounds, caps }) => ({
      bounds,
      caps: caps.map(({ mask, most }) => ({
        members: new Set(bounds.keys().filter((at) => (mask >> at) & 1)),
        most,
      })),
    }))

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)

const used = (units: readonly bigint[], members: ReadonlySet<number>): bigint =>
  sum(units.filter((_, at) => members.has(at)))

/** All sums of whole units that keep the bounds and caps. */
function mostByTrying({ bounds, caps }: Rooms): bigint {
  let most = 0n
  const visit = (units: readonly bigint[]): void => {
    if (caps.some((cap) => used(units, cap.members) > cap.most)) return
    const bound = bounds[units.length]
    if (bound === undefined) {
      if (sum(units) > most) most = sum(units)
      return
    }
    for (let count = 0n; count <= bound; count++) visit([...units, count])
  }
  visit([])
  return most
}

function checkPacked({ bounds, caps }: Rooms, units: readonly bigint[], amount: bigint): void {
  assert.equal(sum(units), amount)
  for (const [at, bound] of bounds.entries())
    assert.ok((units[at] ?? -1n) >= 0n && (units[at] ?? 0n) <= bound)
  for (const { members, most } of caps) assert.ok(used(units, members) <= most)
}

test('whole units are found if and only if there are any: all are tried', () => {
  fc.assert(
    fc.property(rooms(6, 6), (one) => {
      const most = mostByTrying(one)
      for (let amount = 0n; amount <= sum(one.bounds); amount++) {
        const packed = packUnits(one, amount)
        assert.equal(packed.kind, amount <= most ? 'packed' : 'none', `${amount} of ${most}`)
        if (packed.kind === 'packed') checkPacked(one, packed.units, amount)
      }
    }),
    runs(300),
  )
})

/** Three groups of two with one cap: in fractions they hold one and a half times the cap. */
const triangle = (first: number, most: bigint) =>
  [
    [0, 1],
    [1, 2],
    [2, 0],
  ].map((pair) => ({ members: new Set(pair.map((at) => first + at)), most }))

test('what groups can hold only in halves of a unit is refused, at every size', () => {
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
    // Both have half a unit left, which together would be the one that is wanted.
    assert.equal(packUnits(two, 2n * most + 1n).kind, 'none')
  }
})
