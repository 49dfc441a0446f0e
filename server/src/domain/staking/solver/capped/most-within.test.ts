import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../../test/support/split-problems.ts'
import { mostWithin, type Rooms } from './most-within.ts'

const rooms = fc
  .record({
    bounds: fc.array(fc.nat(4), { minLength: 1, maxLength: 5 }),
    caps: fc.array(fc.record({ mask: fc.nat(31), most: fc.nat(8) }), { maxLength: 4 }),
  })
  .map(
    ({ bounds, caps }): Rooms => ({
      bounds,
      caps: caps.map(({ mask, most }) => ({
        members: new Set(bounds.keys().filter((at) => (mask >> at) & 1)),
        most,
      })),
    }),
  )

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const used = (amounts: readonly number[], members: ReadonlySet<number>): number =>
  sum(amounts.filter((_, at) => members.has(at)))

/** Of all whole and half amounts. */
function mostByTrying({ bounds, caps }: Rooms): number {
  let most = 0
  const visit = (amounts: readonly number[]): void => {
    const bound = bounds[amounts.length]
    if (caps.some((cap) => used(amounts, cap.members) > cap.most)) return
    if (bound === undefined) {
      most = Math.max(most, sum(amounts))
      return
    }
    for (let amount = 0; amount <= bound; amount += 0.5) visit([...amounts, amount])
  }
  visit([])
  return most
}

test('no amounts within the bounds and caps add up to more: all whole and half ones are tried', () => {
  fc.assert(
    fc.property(rooms, fc.constantFrom(1, 1e6, 1e18), (one, unit) => {
      const scaled = {
        bounds: one.bounds.map((bound) => bound * unit),
        caps: one.caps.map(({ members, most }) => ({ members, most: most * unit })),
      }
      const amounts = mostWithin(scaled)
      for (const [at, amount] of amounts.entries()) {
        assert.ok(amount >= 0 && amount <= (scaled.bounds[at] ?? 0) + 1e-9 * unit)
      }
      for (const { members, most } of scaled.caps) assert.ok(used(amounts, members) <= most + 1e-9 * unit)
      assert.ok(sum(amounts) / unit >= mostByTrying(one) - 1e-9)
    }),
    runs(300),
  )
})
