import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mostByBruteForce, smallRooms, usedBy } from '../../../../../../test/support/planning/small-rooms.ts'
import { sumOf } from '../../../../../../test/support/planning/sum-of.ts'
import { runs } from '../../../../../../test/support/repetitions.ts'
import { mostWithin } from './most-within.ts'

test('the sum is at least that of all whole and half amounts within bounds and caps (brute force)', () => {
  fc.assert(
    fc.property(
      smallRooms({ slots: 5, groups: 4, bound: 4n, cap: 8n }),
      fc.constantFrom(1n, 10n ** 6n, 10n ** 18n),
      (one, unit) => {
        const scaled = {
          bounds: one.bounds.map((bound) => bound * unit),
          caps: one.caps.map(({ members, most }) => ({ members, most: most * unit })),
        }
        const { amounts, under } = mostWithin(scaled)
        assert.ok(under > 0n)
        for (const [at, amount] of amounts.entries()) {
          assert.ok(amount >= 0n && amount <= (scaled.bounds[at] ?? 0n) * under)
        }
        for (const { members, most } of scaled.caps) assert.ok(usedBy(amounts, members) <= most * under)
        assert.ok(2n * sumOf(amounts) >= mostByBruteForce(one, 2n) * unit * under)
      },
    ),
    runs(300),
  )
})
