import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/repetitions.ts'
import { anyCurve } from '../../../../test/support/split-problems.ts'
import { splitIntoUnits } from './integer-split.ts'
import { gainOf, type RewardCurve, rewardCurve } from './reward-curve.ts'
import type { WholeSlot } from './unit-worth.ts'
import { fillSlots } from './water-fill.ts'

type Bounds = { readonly curve: RewardCurve; readonly least: number; readonly most: number }

/** Splits like the allocation: by floats first, then into whole units. */
function split(slots: readonly Bounds[], amount: bigint, risk: number): readonly bigint[] | undefined {
  const filling = fillSlots(slots, Number(amount), risk, 0.05)
  return splitIntoUnits(
    slots.map(
      ({ curve, least, most }, index): WholeSlot => ({
        curve,
        stake: BigInt(curve.stake),
        least: BigInt(least),
        most: BigInt(most),
        near: filling?.amounts[index] ?? 0,
      }),
    ),
    amount,
    risk,
  )
}

/** A curve with whole stake, small enough that single units matter. */
const smallCurve = fc
  .record({
    stake: fc.integer({ min: 1, max: 60 }),
    rate: fc.integer({ min: 1, max: 9 }),
    variance: fc.nat(3),
  })
  .chain(({ stake, rate, variance }) =>
    fc.option(fc.integer({ min: 1, max: 25 }), { nil: 0 }).map((knee) =>
      rewardCurve({
        stake,
        slope: rate / 100,
        knee,
        decline: (rate / 100) * (stake + knee) * stake,
        cost: 0,
        variance: variance / 1_000,
      }),
    ),
  )

test('the split into whole units is the best of all (brute force)', () => {
  const slots = fc.array(
    fc
      .record({ curve: smallCurve, least: fc.nat(4), room: fc.nat(20) })
      .map(({ curve, least, room }) => ({ curve, least, most: least + room })),
    { minLength: 1, maxLength: 4 },
  )
  const risk = fc.constantFrom(0, 0.01, 0.3)
  fc.assert(
    fc.property(slots, fc.nat(40), risk, (list, amount, weight) => {
      const best = bestOfAll(list, amount, weight)
      const units = split(list, BigInt(amount), weight)
      if (best === undefined || units === undefined) return assert.equal(units, best)
      const value = units.reduce((sum, x, index) => {
        const curve = list[index]?.curve
        return curve ? sum + gainOf(curve, weight, Number(x)) : sum
      }, 0)
      assert.equal(
        units.reduce((sum, x) => sum + x, 0n),
        BigInt(amount),
      )
      assert.ok(value >= best - 1e-12, `${value} of ${best}`)
    }),
    runs(2_000),
  )
})

test('units add up exactly and keep their bounds, for amounts up to 2^64 − 1', () => {
  const slots = fc.array(anyCurve(), { minLength: 1, maxLength: 10 })
  const amount = fc.oneof(
    fc.bigInt({ min: 10n ** 9n, max: 2n ** 64n - 1n }),
    fc.constantFrom(10n ** 9n, 2n * 10n ** 9n - 1n, 2n ** 64n - 1n),
  )
  fc.assert(
    fc.property(slots, amount, fc.constantFrom(0, 10), (curves, total, aversion) => {
      // Curves on the scale of the amount, in whole units.
      const scale = Number(total) / 1e6
      const list = curves.map((curve) => ({
        curve: rewardCurve({
          ...curve,
          stake: Math.ceil(curve.stake * scale),
          knee: Math.floor(curve.knee * scale),
          decline: curve.decline * scale * scale,
        }),
        stake: BigInt(Math.ceil(curve.stake * scale)),
        least: 0n,
        most: total,
      }))
      const risk = aversion / Number(total)
      const asFloats = list.map(({ curve, least, most }) => ({
        curve,
        least: Number(least),
        most: Number(most),
      }))
      const filling = fillSlots(asFloats, Number(total), risk, 0.05)
      const units = splitIntoUnits(
        list.map((slot, index) => ({ ...slot, near: filling?.amounts[index] ?? 0 })),
        total,
        risk,
      )
      assert.equal(
        units?.reduce((sum, x) => sum + x, 0n),
        total,
      )
      for (const x of units ?? []) assert.ok(x >= 0n && x <= total)
    }),
    runs(1_000),
  )
})

test('with 2^64 − 1 units, moving a single unit gains nothing (checked with exact fractions)', () => {
  const pool = fc.record({
    stake: fc.bigInt({ min: 10n ** 15n, max: 10n ** 19n }),
    pot: fc.integer({ min: 1e6, max: 1e15 }),
  })
  fc.assert(
    fc.property(fc.array(pool, { minLength: 2, maxLength: 10 }), (pools) => {
      const total = 2n ** 64n - 1n
      const list = pools.map(({ stake, pot }) => ({
        curve: rewardCurve({
          stake: Number(stake),
          slope: 0,
          knee: 0,
          decline: pot * Number(stake),
          cost: 0,
          variance: 0,
        }),
        stake,
        least: 0n,
        most: total,
      }))
      const asFloats = list.map(({ curve }) => ({ curve, least: 0, most: Number(total) }))
      const filling = fillSlots(asFloats, Number(total), 0, 0.05)
      const units = splitIntoUnits(
        list.map((slot, index) => ({ ...slot, near: filling?.amounts[index] ?? 0 })),
        total,
        0,
      )
      const parts = list.map(({ curve, stake }, index) => ({
        pot: BigInt(curve.decline),
        at: stake + (units?.[index] ?? 0n),
        stake,
      }))
      for (const giver of parts) {
        for (const taker of parts) {
          if (giver === taker || giver.at === giver.stake) continue
          // taker.pot / ((at)(at + 1)) ≤ giver.pot / ((at − 1)(at))
          const gained = taker.pot * (giver.at - 1n) * giver.at
          const lost = giver.pot * taker.at * (taker.at + 1n)
          assert.ok(gained <= lost, 'moving a unit gains')
        }
      }
    }),
    runs(500),
  )
})

test('with risk, identical pools, knees and bounds, moving a single unit gains nothing (checked with 300 binary digits)', () => {
  const pool = fc.record({
    stake: fc.constantFrom(10n ** 16n, 10n ** 16n, 3n * 10n ** 16n + 7n, 10n ** 18n),
    rate: fc.constantFrom(0.05, 0.05, 0.0501, 0.06),
    variance: fc.constantFrom(2.5e-5, 2.5e-5, 1e-4),
    knee: fc.constantFrom(0, 0, 0, 1e15),
  })
  const problems = fc.record({
    pools: fc.array(pool, { minLength: 2, maxLength: 10 }),
    total: fc.double({ min: 13, max: 19, noNaN: true }).map((power) => BigInt(Math.floor(10 ** power)) + 7n),
    aversion: fc.constantFrom(10, 1_000),
    share: fc.constantFrom(1n, 2n, 3n),
  })
  fc.assert(
    fc.property(problems, ({ pools, total, aversion, share }) => {
      const risk = aversion / Number(total)
      const list = pools.map(({ stake, rate, variance, knee }) => {
        const whole = Number(stake)
        const decline = rate * (whole + knee) * whole
        const curve = rewardCurve({
          stake: whole,
          slope: knee > 0 ? rate : 0,
          knee,
          decline,
          cost: 0,
          variance,
        })
        return { curve, stake, least: 10n ** 9n, most: total / share + 1n }
      })
      fc.pre(BigInt(list.length) >= share)
      const asFloats = list.map(({ curve, least, most }) => ({
        curve,
        least: Number(least),
        most: Number(most),
      }))
      const filling = fillSlots(asFloats, Number(total), risk, 0.05)
      const slots = list.map((slot, index) => ({ ...slot, near: filling?.amounts[index] ?? 0 }))
      const units = splitIntoUnits(slots, total, risk) ?? []
      assert.equal(
        units.reduce((sum, x) => sum + x, 0n),
        total,
      )
      const placed = slots.map((slot, index) => ({ slot, x: units[index] ?? 0n }))
      for (const giver of placed) {
        for (const taker of placed) {
          if (giver === taker || giver.x <= giver.slot.least || taker.x >= taker.slot.most) continue
          const gained = fineWorth(taker.slot, risk, taker.x) - fineWorth(giver.slot, risk, giver.x - 1n)
          // The solver truncates worths at 2⁻¹⁶⁰ and ignores differences of that size.
          assert.ok(gained <= 2n ** 142n, `moving a unit gains ${gained}`)
        }
      }
    }),
    runs(1_000),
  )
})

/** The worth of the unit after `x`, in multiples of 2⁻³⁰⁰. */
function fineWorth({ curve, stake }: WholeSlot, risk: number, x: bigint): bigint {
  const fine = (value: number): bigint => BigInt(value * 2 ** 300)
  const at = stake + x
  const reward = x < BigInt(curve.knee) ? fine(curve.slope) : fine(curve.decline) / (at * (at + 1n))
  return reward - fine((risk * curve.variance) / 2) * (2n * x + 1n)
}

test('float amounts that are far off lead to the same units', () => {
  const curves = [3, 5, 8].map((rate) =>
    rewardCurve({ stake: 1e15, slope: 0, knee: 0, decline: (rate / 100) * 1e30, cost: 0, variance: 0 }),
  )
  const total = 10n ** 16n
  const from = (near: readonly number[]) =>
    splitIntoUnits(
      curves.map((curve, index) => ({
        curve,
        stake: 10n ** 15n,
        least: 0n,
        most: total,
        near: near[index] ?? 0,
      })),
      total,
      0,
    )
  const filling = fillSlots(
    curves.map((curve) => ({ curve, least: 0, most: 1e16 })),
    1e16,
    0,
    0.05,
  )
  assert.deepEqual(from([0, 0, 1e16]), from(filling?.amounts ?? []))
})

test('of identical validators, the first ones get the odd units', () => {
  const curve = rewardCurve({ stake: 1_000, slope: 0, knee: 0, decline: 50_000, cost: 0, variance: 0 })
  const same = Array.from({ length: 3 }, () => ({ curve, least: 0, most: 1_000 }))
  assert.deepEqual(split(same, 11n, 0), [4n, 4n, 3n])
})

function bestOfAll(list: readonly Bounds[], amount: number, risk: number): number | undefined {
  const [first, ...rest] = list
  if (!first) return amount === 0 ? 0 : undefined
  let best: number | undefined
  for (let x = first.least; x <= Math.min(first.most, amount); x++) {
    const others = bestOfAll(rest, amount - x, risk)
    if (others === undefined) continue
    const value = others + gainOf(first.curve, risk, x)
    if (best === undefined || value > best) best = value
  }
  return best
}
