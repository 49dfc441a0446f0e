import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCurve, runs } from '../../../../test/support/split-problems.ts'
import { findCappedSplit, type GroupCap } from './capped-split.ts'
import { splitIntoCappedUnits } from './capped-units.ts'
import type { SplitProblem } from './dual-bound.ts'
import { gainOf, type RewardCurve, rewardCurve } from './reward-curve.ts'

const AMOUNT = 1e6
/** The amount is tried in this many equal parts. */
const PARTS = 16

const problems = fc
  .record({
    choices: fc.array(
      fc.record({ curve: anyCurve(), cap: fc.constantFrom(Infinity, 0.375 * AMOUNT, 0.625 * AMOUNT) }),
      { minLength: 2, maxLength: 5 },
    ),
    maxChosen: fc.integer({ min: 1, max: 4 }),
    aversion: fc.constantFrom(0, 10, 300),
    shares: fc.array(fc.constantFrom(0.25, 0.375, 0.5, 0.75), { minLength: 1, maxLength: 3 }),
    membership: fc.array(fc.nat(7), { minLength: 5, maxLength: 5 }),
  })
  .map(({ choices, maxChosen, aversion, shares, membership }) => {
    const curves = choices.map(({ curve, cap }) => rewardCurve({ ...curve, cap }))
    const problem: SplitProblem = {
      amount: AMOUNT,
      risk: aversion / AMOUNT,
      choices: curves,
      least: AMOUNT / PARTS,
      most: AMOUNT,
      maxChosen,
      free: [],
    }
    return { problem, shares, membership }
  })

/** Each curve is in one group at most. */
const apart = ({ problem, shares, membership }: Case): readonly GroupCap[] =>
  shares.map((share, group) => ({
    members: new Set(
      problem.choices.filter((_, index) => (membership[index] ?? 0) % (shares.length + 1) === group),
    ),
    most: share * AMOUNT,
  }))

/** Each curve may be in several. */
const overlapping = ({ problem, shares, membership }: Case): readonly GroupCap[] =>
  shares.map((share, group) => ({
    members: new Set(problem.choices.filter((_, index) => ((membership[index] ?? 0) >> group) & 1)),
    most: share * AMOUNT,
  }))

type Case = {
  readonly problem: SplitProblem
  readonly shares: readonly number[]
  readonly membership: readonly number[]
}

/** The best of all ways to hand out equal parts that keep the rules; undefined when there is none. */
function bestByTrying({ choices, risk, most, maxChosen }: SplitProblem, groups: readonly GroupCap[]) {
  const part = AMOUNT / PARTS
  let best: number | undefined
  const visit = (parts: readonly number[], left: number): void => {
    const curve = choices[parts.length]
    if (!curve) {
      if (left > 0 || parts.filter((count) => count > 0).length > maxChosen) return
      const used = ({ members }: GroupCap): number =>
        choices.reduce((sum, one, index) => sum + (members.has(one) ? (parts[index] ?? 0) * part : 0), 0)
      if (groups.some((group) => used(group) > group.most + 1e-6)) return
      const value = choices.reduce(
        (sum, one, index) => sum + gainOf(one, risk, (parts[index] ?? 0) * part),
        0,
      )
      best = best === undefined ? value : Math.max(best, value)
      return
    }
    for (let count = 0; count <= left && count * part <= Math.min(most, curve.cap) + 1e-6; count++) {
      visit([...parts, count], left - count)
    }
  }
  visit([], PARTS)
  return best
}

function checkWithin({ amount, maxChosen }: SplitProblem, groups: readonly GroupCap[], parts: Parts): void {
  const used = (members: ReadonlySet<RewardCurve>) =>
    parts.reduce((sum, part) => sum + (members.has(part.curve) ? part.amount : 0), 0)
  for (const { members, most } of groups) assert.ok(used(members) <= most * (1 + 2e-9))
  for (const part of parts) assert.ok(part.amount <= part.curve.cap * (1 + 1e-9))
  assert.ok(parts.length <= maxChosen)
  assert.ok(Math.abs(parts.reduce((sum, part) => sum + part.amount, 0) / amount - 1) < 1e-9)
}
type Parts = readonly { readonly curve: RewardCurve; readonly amount: number }[]

test('no split within the caps of groups is better, and the bound holds: all are tried', () => {
  fc.assert(
    fc.property(problems, (one) => {
      const groups = apart(one)
      const best = bestByTrying(one.problem, groups)
      if (best === undefined || best <= 0) return
      const split = findCappedSplit(one.problem, groups)
      assert.ok(split, 'there is a split')
      checkWithin(one.problem, groups, split.parts)
      assert.ok(split.bound >= Math.max(split.value, best * (1 - 1e-9)))
      assert.ok(split.value >= best * (1 - 1e-9), `${split.value} instead of ${best}`)
    }),
    runs(500),
  )
})

test('where groups overlap, the caps and the bound hold; the gap says what may be missing', (t) => {
  let [found, optimal] = [0, 0]
  fc.assert(
    fc.property(problems, (one) => {
      const groups = overlapping(one)
      const best = bestByTrying(one.problem, groups)
      const split = findCappedSplit(one.problem, groups)
      if (!split || best === undefined || best <= 0) return
      checkWithin(one.problem, groups, split.parts)
      assert.ok(split.bound >= Math.max(split.value, best * (1 - 1e-9)))
      found++
      if (split.value >= best * (1 - 1e-9)) optimal++
    }),
    runs(500),
  )
  t.diagnostic(`${optimal} of ${found} are as good as the best tried`)
  assert.ok(optimal >= 0.9 * found)
})

test('whole units add up, and no group gets a unit too many', () => {
  fc.assert(
    fc.property(problems, fc.boolean(), (one, isApart) => {
      const groups = isApart ? apart(one) : overlapping(one)
      const split = findCappedSplit(one.problem, groups)
      if (!split) return
      const slots = split.parts.map(({ curve, amount }) => ({
        curve,
        stake: BigInt(Math.round(curve.stake)),
        least: BigInt(AMOUNT / PARTS),
        most: BigInt(Math.floor(Math.min(AMOUNT, curve.cap))),
        near: amount,
      }))
      const capped = groups.map(({ members, most }) => ({ members, units: BigInt(Math.round(most)) }))
      const units = splitIntoCappedUnits(slots, BigInt(AMOUNT), one.problem.risk, capped)
      assert.ok(units)
      assert.equal(
        units.reduce((sum, part) => sum + part, 0n),
        BigInt(AMOUNT),
      )
      for (const { members, units: most } of capped) {
        const used: bigint = slots.reduce(
          (sum, { curve }, index) => sum + (members.has(curve) ? (units[index] ?? 0n) : 0n),
          0n,
        )
        assert.ok(used <= most)
      }
      for (const [index, { least, most }] of slots.entries()) {
        assert.ok((units[index] ?? 0n) >= least && (units[index] ?? 0n) <= most)
      }
    }),
    runs(300),
  )
})
