import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/repetitions.ts'
import { anyCurve } from '../../../../test/support/split-problems.ts'
import { gainOf, marginalGain } from './reward-curve.ts'
import { fillSlots, type Slot } from './water-fill.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const slots = fc.array(
  fc.record({ curve: anyCurve(), a: share, b: share }).map(
    ({ curve, a, b }): Slot => ({
      curve,
      least: Math.floor(1e6 * Math.min(a, b)),
      most: Math.ceil(1e6 * Math.max(a, b)) + 1,
    }),
  ),
  { minLength: 1, maxLength: 6 },
)
const risk = fc.constantFrom(0, 1e-6, 1e-4)

/** An amount that the slots can hold, in whole units as in practice. */
const amountFor = (list: readonly Slot[], part: number): number => {
  const least = list.reduce((sum, slot) => sum + slot.least, 0)
  const most = list.reduce((sum, slot) => sum + slot.most, 0)
  return Math.max(1, Math.round(least + part * (most - least)))
}

test('the whole amount is used, every bound is kept, and moving stake gains nothing', () => {
  fc.assert(
    fc.property(slots, share, risk, (list, part, weight) => {
      const amount = amountFor(list, part)
      const filling = fillSlots(list, amount, weight, 0.05)
      assert.ok(filling)
      const total = filling.amounts.reduce((sum, x) => sum + x, 0)
      assert.ok(Math.abs(total - amount) <= 1e-9 * amount, `${total} of ${amount}`)
      const filled = list.map((slot, index) => ({ ...slot, x: filling.amounts[index] ?? 0 }))
      const worth = (slot: (typeof filled)[number], x: number) => marginalGain(slot.curve, weight, x)
      for (const giver of filled) {
        for (const taker of filled) {
          const step = 1e-3 * Math.min(giver.x - giver.least, taker.most - taker.x)
          if (step <= 1e-3) continue
          const lost = worth(giver, giver.x - step)
          assert.ok(worth(taker, taker.x + step) <= lost + 1e-9 * Math.abs(lost))
        }
      }
    }),
    runs(1_500),
  )
})

test('no random split with the same bounds is better', () => {
  fc.assert(
    fc.property(
      slots,
      share,
      risk,
      fc.array(share, { minLength: 6, maxLength: 6 }),
      (list, part, weight, mix) => {
        const amount = amountFor(list, part)
        const filling = fillSlots(list, amount, weight, 1)
        assert.ok(filling)
        const other = randomSplit(list, amount, mix)
        const value = list.reduce(
          (sum, { curve }, index) => sum + gainOf(curve, weight, other[index] ?? 0),
          0,
        )
        assert.ok(value <= filling.value + 1e-11 * Math.max(1, amount))
      },
    ),
    runs(1_500),
  )
})

test('bounds that cannot hold the amount: the result is undefined', () => {
  fc.assert(
    fc.property(slots, risk, (list, weight) => {
      assert.equal(fillSlots(list, amountFor(list, 0) * 0.99 - 1, weight, 0.05), undefined)
      assert.equal(fillSlots(list, amountFor(list, 1) * 1.01 + 1, weight, 0.05), undefined)
    }),
    runs(200),
  )
})

/**
 * A random split: each slot gets its minimum and a random part of its room, then the rest goes to the first slots.
 */
function randomSplit(list: readonly Slot[], amount: number, mix: readonly number[]): number[] {
  const amounts = list.map(({ least }) => least)
  let rest = amount - amounts.reduce((sum, x) => sum + x, 0)
  for (const pass of [0, 1]) {
    for (const [index, { most }] of list.entries()) {
      const room = most - (amounts[index] ?? 0)
      const given = Math.min(rest, room * (pass === 0 ? (mix[index] ?? 0) : 1))
      amounts[index] = (amounts[index] ?? 0) + given
      rest -= given
    }
  }
  return amounts
}
