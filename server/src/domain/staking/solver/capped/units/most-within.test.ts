import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../../../test/support/split-problems.ts'
import { mostWithin, type Rooms } from './most-within.ts'

const rooms = fc
  .record({
    bounds: fc.array(fc.bigInt(0n, 4n), { minLength: 1, maxLength: 5 }),
    caps: fc.array(fc.record({ mask: fc.nat(31), most: fc.bigInt(0n, 8n) }), { maxLength: 4 }),
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

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)

const used = (amounts: readonly bigint[], members: ReadonlySet<number>): bigint =>
  sum(amounts.filter((_, at) => members.has(at)))

/** Of all multiples of 1/parts, in such parts. */
function mostByTrying({ bounds, caps }: Rooms, parts: bigint): bigint {
  let most = 0n
  const visit = (amounts: readonly bigint[]): void => {
    const bound = bounds[amounts.length]
    if (caps.some((cap) => used(amounts, cap.members) > cap.most * parts)) return
    if (bound === undefined) {
      if (sum(amounts) > most) most = sum(amounts)
      return
    }
    for (let amount = 0n; amount <= bound * parts; amount++) visit([...amounts, amount])
  }
  visit([])
  return most
}

test('no amounts within the bounds and caps add up to more: all whole and half ones are tried', () => {
  fc.assert(
    fc.property(rooms, fc.constantFrom(1n, 10n ** 6n, 10n ** 18n), (one, unit) => {
      const scaled = {
        bounds: one.bounds.map((bound) => bound * unit),
        caps: one.caps.map(({ members, most }) => ({ members, most: most * unit })),
      }
      const { amounts, under } = mostWithin(scaled)
      assert.ok(under > 0n)
      for (const [at, amount] of amounts.entries()) {
        assert.ok(amount >= 0n && amount <= (scaled.bounds[at] ?? 0n) * under)
      }
      for (const { members, most } of scaled.caps) assert.ok(used(amounts, members) <= most * under)
      assert.ok(2n * sum(amounts) >= mostByTrying(one, 2n) * unit * under)
    }),
    runs(300),
  )
})
