import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../../test/support/repetitions.ts'
import { anyCurve } from '../../../../../test/support/split-problems.ts'
import type { SplitProblem } from '../dual-bound.ts'
import { gainOf, type RewardCurve, rewardCurve } from '../reward-curve.ts'
import { findCappedSplit, type GroupCap } from './capped-split.ts'
import { newSearchWork } from './search-work.ts'
import { splitIntoCappedUnits } from './units/capped-units.ts'

const find = (problem: SplitProblem, groups: readonly GroupCap[]) =>
  findCappedSplit(problem, groups, { work: newSearchWork() })

const AMOUNT = 1e6
/** The brute force splits the amount into this many equal parts. */
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
const disjointGroups = ({ problem, shares, membership }: Case): readonly GroupCap[] =>
  shares.map((share, group) => ({
    members: new Set(
      problem.choices.filter((_, index) => (membership[index] ?? 0) % (shares.length + 1) === group),
    ),
    most: share * AMOUNT,
  }))

/** A curve may be in several groups. */
const overlappingGroups = ({ problem, shares, membership }: Case): readonly GroupCap[] =>
  shares.map((share, group) => ({
    members: new Set(problem.choices.filter((_, index) => ((membership[index] ?? 0) >> group) & 1)),
    most: share * AMOUNT,
  }))

type Case = {
  readonly problem: SplitProblem
  readonly shares: readonly number[]
  readonly membership: readonly number[]
}

/** Brute force: the best of all ways to hand out equal parts within the limits; undefined if there is none. */
function bruteForce({ choices, risk, most, maxChosen }: SplitProblem, groups: readonly GroupCap[]) {
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

test('with disjoint groups the split is the best of all, and its bound holds (brute force)', () => {
  fc.assert(
    fc.property(problems, (one) => {
      const groups = disjointGroups(one)
      const best = bruteForce(one.problem, groups)
      if (best === undefined || best <= 0) return
      const split = find(one.problem, groups)
      assert.ok(split, 'there is a split')
      checkWithin(one.problem, groups, split.parts)
      assert.ok(split.bound >= Math.max(split.value, best * (1 - 1e-9)))
      assert.ok(split.value >= best * (1 - 1e-9), `${split.value} instead of ${best}`)
    }),
    runs(500),
  )
})

test('with overlapping groups the split is the best of all, and its bound proves that (brute force)', () => {
  fc.assert(
    fc.property(problems, (one) => {
      const groups = overlappingGroups(one)
      const best = bruteForce(one.problem, groups)
      const split = find(one.problem, groups)
      if (best === undefined || best <= 0) return
      assert.ok(split, 'there is a split')
      checkWithin(one.problem, groups, split.parts)
      assert.ok(split.bound >= Math.max(split.value, best * (1 - 1e-9)))
      assert.ok(split.value >= best * (1 - 1e-9), `${split.value} instead of ${best}`)
      // Scale of the float comparison: the reward of the whole amount at the highest rate.
      const size = AMOUNT * Math.max(...one.problem.choices.map(({ entry }) => entry))
      assert.ok(split.bound - split.value <= 1e-9 * size, `${split.value} of ${split.bound}`)
    }),
    runs(1_000),
  )
})

const manyChoices = fc
  .record({
    choices: fc.array(
      fc.record({ curve: anyCurve(), cap: fc.constantFrom(Infinity, 0.2 * AMOUNT, 0.4 * AMOUNT) }),
      { minLength: 20, maxLength: 60 },
    ),
    maxChosen: fc.integer({ min: 2, max: 16 }),
    aversion: fc.constantFrom(0, 10, 300),
    shares: fc.array(fc.constantFrom(0.1, 0.25, 0.375, 0.5), { minLength: 1, maxLength: 6 }),
    membership: fc.array(fc.nat(41), { minLength: 60, maxLength: 60 }),
  })
  .map(({ choices, maxChosen, aversion, shares, membership }) => ({
    problem: {
      amount: AMOUNT,
      risk: aversion / AMOUNT,
      choices: choices.map(({ curve, cap }) => rewardCurve({ ...curve, cap })),
      least: AMOUNT / 1000,
      most: AMOUNT,
      maxChosen,
      free: [],
    },
    shares,
    membership,
  }))

test('with many choices the gap is closed, and no split of a narrower problem exceeds the bound', () => {
  fc.assert(
    fc.property(manyChoices, fc.boolean(), (one, isApart) => {
      const groups = isApart ? disjointGroups(one) : overlappingGroups(one)
      const narrower = groups.map(({ members, most }) => ({ members, most: 0.8 * most }))
      const fewer = { ...one.problem, maxChosen: one.problem.maxChosen - 1 }
      const split = find(one.problem, groups)
      const others = [find(fewer, groups), find(one.problem, narrower)]
      if (!split) return assert.deepEqual(others, [undefined, undefined])
      checkWithin(one.problem, groups, split.parts)
      const gap = (split.bound - split.value) / Math.abs(split.bound)
      assert.ok(gap >= 0 && gap <= 1e-8, `the gap is ${gap}`)
      for (const other of others) {
        if (other) assert.ok(other.value <= split.bound + 1e-9 * Math.abs(split.bound))
      }
    }),
    runs(100),
  )
})

test('a group with cap 0 gets nothing; free slots that alone exceed a cap make the problem infeasible', () => {
  const curve = rewardCurve({ stake: 100, slope: 0.05, knee: 1e12, decline: 0, cost: 0, variance: 0 })
  const other = rewardCurve({ ...curve, slope: 0.04 })
  const problem = { amount: AMOUNT, risk: 0, choices: [curve, other], least: 1, most: AMOUNT, maxChosen: 2 }
  const closed = { members: new Set([curve]), most: 0 }
  const split = find({ ...problem, maxChosen: 1, free: [] }, [closed])
  assert.deepEqual(
    split?.parts.map((part) => [part.curve, part.amount]),
    [[other, AMOUNT]],
  )
  assert.ok(split && split.bound === split.value)
  const held = { curve: rewardCurve(curve), least: AMOUNT / 2, most: AMOUNT / 2 }
  const beyond = { members: new Set([held.curve]), most: AMOUNT / 4 }
  assert.equal(find({ ...problem, free: [held] }, [beyond]), undefined)
})

/** Asserts that the whole units of the best split keep every bound and cap and add up to the amount. */
function checkUnits(problem: SplitProblem, groups: readonly GroupCap[]): void {
  const split = find(problem, groups)
  if (!split) return
  const slots = split.parts.map(({ curve, amount }) => ({
    curve,
    stake: BigInt(Math.round(curve.stake)),
    least: BigInt(AMOUNT / PARTS),
    most: BigInt(Math.floor(Math.min(AMOUNT, curve.cap))),
    near: amount,
  }))
  const capped = groups.map(({ members, most }) => ({ members, units: BigInt(Math.round(most)) }))
  const units = splitIntoCappedUnits(slots, BigInt(AMOUNT), problem.risk, capped)
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
}

test('whole units add up to the amount, and no group exceeds its cap', () => {
  fc.assert(
    fc.property(problems, fc.boolean(), (one, isApart) => {
      checkUnits(one.problem, isApart ? disjointGroups(one) : overlappingGroups(one))
    }),
    runs(300),
  )
})

test('caps that leave three of four curves only one split still allow whole units', () => {
  const flat = { slope: 0, knee: 0, cost: 0, variance: 0 }
  const choices = [
    { ...flat, stake: 100, decline: 400, variance: 0.000025 },
    { ...flat, stake: 3466.3397617741416, decline: 992190.1580127688 },
    { ...flat, stake: 100, decline: 200 },
    { ...flat, stake: 100, decline: 983.6670468388513 },
  ].map((curve) => rewardCurve(curve))
  const problem = {
    amount: AMOUNT,
    risk: 0.0003,
    choices,
    least: 62_500,
    most: AMOUNT,
    maxChosen: 3,
    free: [],
  }
  const membership = [4, 5, 3, 3]
  checkUnits(problem, overlappingGroups({ problem, shares: [0.75, 0.5, 0.5], membership }))
})

test('with overlapping groups, float errors are repaired in whole units without exceeding a cap', () => {
  const slotOf = (near: number) => ({
    curve: rewardCurve({ stake: 1e18, slope: 0.05, knee: 1e19, decline: 0, cost: 0, variance: 0 }),
    stake: 10n ** 18n,
    least: 10n ** 9n,
    most: 10n ** 18n,
    near,
  })
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 3, maxLength: 3 }),
      (errors) => {
        const slots = errors.map((error) => slotOf(2.5e17 * (1 + error * 1e-12)))
        const inside = (...at: readonly number[]) => new Set(at.flatMap((one) => slots[one]?.curve ?? []))
        const groups = [
          { members: inside(0, 1), units: 5n * 10n ** 17n },
          { members: inside(1, 2), units: 5n * 10n ** 17n },
        ]
        const amount = 75n * 10n ** 16n + 1_000n
        const units = splitIntoCappedUnits(slots, amount, 0, groups)
        assert.ok(units, 'there are such units')
        const [a = 0n, b = 0n, c = 0n] = units
        assert.equal(a + b + c, amount)
        assert.ok(a + b <= 5n * 10n ** 17n && b + c <= 5n * 10n ** 17n)
      },
    ),
    runs(200),
  )
})
