import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs, wholeRuns } from '../../../../test/support/repetitions.ts'
import { splitProblem } from '../../../../test/support/split-problems.ts'
import { findBestSplit, type Split } from './best-split.ts'
import { newSearchWork } from './capped/search-work.ts'
import { findSplitWithOneOf } from './capped/split-with-one-of.ts'
import type { SplitProblem } from './dual-bound.ts'
import { gainOf, type RewardCurve, rewardCurve } from './reward-curve.ts'
import { fillSlots } from './water-fill.ts'

/** Scale for comparing values: costs and rewards can cancel out, so the value alone would be too small a scale. */
const sizeOf = ({ amount, choices }: SplitProblem, value: number): number =>
  Math.max(
    Math.abs(value),
    0.1 * amount * Math.max(...choices.map(({ entry, cost }) => Math.abs(entry) + cost)),
  )

/** The best value over all permitted sets of choices. */
function bruteForce(
  problem: SplitProblem,
  isPermitted: (chosen: readonly RewardCurve[]) => boolean = () => true,
): number | undefined {
  const { amount, risk, choices, least, most, maxChosen, free } = problem
  let best: number | undefined
  for (let set = 0; set < 1 << choices.length; set++) {
    const chosen = choices.filter((_, index) => (set >> index) & 1)
    if (chosen.length > maxChosen || !isPermitted(chosen)) continue
    const slots = [...free, ...chosen.map((curve) => ({ curve, least, most }))]
    const value = fillSlots(slots, amount, risk, 0.05)?.value
    if (value !== undefined && (best === undefined || value > best)) best = value
  }
  return best
}

function checkSplit(problem: SplitProblem, split: Split): void {
  const { amount, risk, least, most, maxChosen } = problem
  const chosen = split.parts.filter(({ free }) => !free)
  assert.ok(chosen.length <= maxChosen)
  assert.equal(new Set(chosen.map(({ curve }) => curve)).size, chosen.length)
  for (const part of chosen) {
    assert.ok(part.amount >= least * (1 - 1e-12) && part.amount <= most * (1 + 1e-12))
  }
  const total = split.parts.reduce((sum, part) => sum + part.amount, 0)
  assert.ok(Math.abs(total - amount) <= 1e-9 * amount)
  const value = split.parts.reduce((sum, part) => sum + gainOf(part.curve, risk, part.amount), 0)
  assert.ok(Math.abs(value - split.value) <= 1e-9 * sizeOf(problem, value))
  assert.ok(split.bound >= split.value)
}

test('the split is the best over all sets of choices (brute force), and undefined if there is none', () => {
  fc.assert(
    fc.property(splitProblem(7), (problem) => {
      const split = findBestSplit(problem)
      const best = bruteForce(problem)
      if (best === undefined || split === undefined) return assert.equal(split?.value, best)
      checkSplit(problem, split)
      const size = sizeOf(problem, best)
      assert.ok(Math.abs(best - split.value) <= 1e-12 * size, `found ${split.value}, the best is ${best}`)
      assert.ok(split.bound - split.value <= 1e-12 * size, 'the optimum is proven')
    }),
    runs(3_000),
  )
})

test('findSplitWithOneOf finds the best split over all sets with at least one required choice (brute force)', () => {
  let binding = 0
  fc.assert(
    fc.property(splitProblem(7), fc.nat(127), (problem, members) => {
      const oneOf = new Set(problem.choices.filter((_, index) => (members >> index) & 1))
      const isMember = (curve: RewardCurve) => oneOf.has(curve)
      const split = findSplitWithOneOf(problem, [], oneOf, { work: newSearchWork() })
      const best = bruteForce(problem, (chosen) => chosen.some(isMember))
      if (best === undefined || split === undefined) return assert.equal(split?.value, best)
      checkSplit(problem, split)
      assert.ok(split.parts.some(({ curve }) => isMember(curve)))
      const size = sizeOf(problem, best)
      assert.ok(Math.abs(best - split.value) <= 1e-12 * size, `found ${split.value}, the best is ${best}`)
      assert.ok(split.bound - split.value <= 1e-12 * size, 'the optimum is proven')
      if ((findBestSplit(problem)?.value ?? best) > best + 1e-9 * size) binding += 1
    }),
    wholeRuns(2_000),
  )
  assert(binding > 200, `in only ${binding} cases the requirement excludes the best split`)
})

test('the hard case, straight lines with caps, for which no greedy order of the choices is optimal', () => {
  const choice = fc.record({ slope: fc.integer({ min: 40, max: 60 }), knee: fc.integer({ min: 5, max: 60 }) })
  const problems = fc.record({
    choices: fc.array(choice, { minLength: 4, maxLength: 8 }),
    maxChosen: fc.integer({ min: 2, max: 4 }),
    amount: fc.integer({ min: 60, max: 120 }),
  })
  fc.assert(
    fc.property(problems, ({ choices, maxChosen, amount }) => {
      const curves = choices.map(({ slope, knee }) =>
        rewardCurve({ stake: 1, slope: slope / 1_000, knee, decline: 0, cost: 0, variance: 0 }),
      )
      const problem = { amount, risk: 0, choices: curves, least: 1, most: amount, maxChosen, free: [] }
      const [split, best] = [findBestSplit(problem), bruteForce(problem)]
      assert.ok(split && best !== undefined)
      assert.ok(Math.abs(split.value - best) <= 1e-12 * best, `found ${split.value}, the best is ${best}`)
      assert.ok(split.bound - split.value <= 1e-12 * best)
      // The bound must also cover the nodes that the search has not visited.
      const hasty = findBestSplit(problem, { nodes: 2, evaluations: Infinity })
      assert.ok(hasty && hasty.bound >= best - 1e-12 * best)
    }),
    runs(800),
  )
})

test('allowing one more choice never lowers the value', () => {
  fc.assert(
    fc.property(splitProblem(12), (problem) => {
      const fewer = findBestSplit(problem)
      const more = findBestSplit({ ...problem, maxChosen: problem.maxChosen + 1 })
      if (!fewer) return
      assert.ok(more && more.value >= fewer.value - 1e-12 * sizeOf(problem, fewer.value))
    }),
    runs(500),
  )
})

test('the order of the choices does not change the value', () => {
  fc.assert(
    fc.property(splitProblem(12), (problem) => {
      const value = findBestSplit(problem)?.value
      const reversed = findBestSplit({ ...problem, choices: problem.choices.toReversed() })?.value
      if (value === undefined || reversed === undefined) return assert.equal(reversed, value)
      assert.ok(Math.abs(value - reversed) <= 1e-12 * sizeOf(problem, value))
    }),
    runs(500),
  )
})

test('of a hundred identical choices the first ones are chosen, and the optimum is proven', () => {
  fc.assert(
    fc.property(splitProblem(1), (problem) => {
      const choices = Array.from({ length: 100 }, () => problem.choices.map((curve) => ({ ...curve }))).flat()
      const split = findBestSplit({ ...problem, choices })
      if (!split) return
      const chosen = split.parts.filter(({ free }) => !free).map(({ curve }) => choices.indexOf(curve))
      assert.deepEqual(
        chosen.toSorted((a, b) => a - b),
        chosen.map((_, index) => index),
      )
      assert.ok(split.bound - split.value <= 1e-12 * sizeOf(problem, split.value), `${split.nodes} nodes`)
    }),
    runs(1_000),
  )
})

test('after a search that is cut short the optimum lies between value and bound', () => {
  fc.assert(
    fc.property(splitProblem(7), (problem) => {
      const best = bruteForce(problem)
      const split = findBestSplit(problem, { nodes: 1, evaluations: Infinity })
      if (best === undefined || split === undefined) return
      const rounding = 1e-12 * sizeOf(problem, best)
      assert.ok(split.value <= best + rounding && best <= split.bound + rounding)
    }),
    runs(1_000),
  )
})
