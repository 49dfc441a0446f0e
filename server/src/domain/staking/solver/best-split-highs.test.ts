import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highsSolver } from '../../../../test/support/planning/highs-bracket.ts'
import { runs } from '../../../../test/support/repetitions.ts'
import { seededRandom } from '../../../../test/support/sample-network.ts'
import { findBestSplit } from './best-split.ts'
import { findCappedSplit, type GroupCap } from './capped/capped-split.ts'
import { newSearchWork } from './capped/search-work.ts'
import type { SplitProblem } from './dual-bound.ts'
import { rewardCurve } from './reward-curve.ts'

test('HiGHS (a general solver) reaches no better split and proves no lower upper bound', async () => {
  const highs = await highsSolver()
  for (let seed = 1; seed <= runs(12).numRuns; seed++) {
    const problem = problemOf(seed)
    const split = findBestSplit(problem)
    assert.ok(split)
    const bracket = highs(
      problem,
      split.parts.map(({ amount }) => amount),
    )
    const size = Math.abs(split.value)
    assert.ok(bracket.lower <= split.value + 1e-6 * size, `HiGHS reaches ${bracket.lower}, we ${split.value}`)
    assert.ok(
      bracket.upper >= split.value - 1e-6 * size,
      `HiGHS proves ${bracket.upper}, we have ${split.value}`,
    )
    assert.ok(bracket.upper - bracket.lower <= 0.02 * size, 'the bracket is tight enough to mean something')
  }
})

test('with overlapping groups HiGHS reaches no better split and proves no lower upper bound', async () => {
  const highs = await highsSolver()
  for (let seed = 1; seed <= runs(12).numRuns; seed++) {
    const problem = problemOf(seed)
    const groups = groupsOfThreeKinds(problem, seed)
    const split = findCappedSplit(problem, groups, { work: newSearchWork() })
    const bracket = highs(problem, split?.parts.map(({ amount }) => amount) ?? [], groups)
    if (!split) {
      assert.equal(bracket.upper, Number.NEGATIVE_INFINITY, 'a split was missed')
      continue
    }
    const size = Math.abs(split.value)
    assert.ok(split.bound - split.value <= 1e-8 * size, 'the split is proven')
    assert.ok(bracket.lower <= split.value + 1e-6 * size, `HiGHS reaches ${bracket.lower}, we ${split.value}`)
    assert.ok(bracket.upper >= split.value - 1e-6 * size)
  }
})

/** Three partitions of the choices into groups; all groups of a partition have the same cap. */
function groupsOfThreeKinds({ amount, choices }: SplitProblem, seed: number): readonly GroupCap[] {
  const random = seededRandom(1_000 + seed)
  return [6, 4, 3].flatMap((count) => {
    const share = 0.25 + 0.35 * random()
    const own = choices.map(() => Math.floor(count * random()))
    return Array.from({ length: count }, (_, group) => ({
      members: new Set(choices.filter((_, index) => own[index] === group)),
      most: Math.ceil(share * amount),
    }))
  })
}

/** 10 to 30 pools with and without a knee; amounts from far below the size of a pool to above it. */
function problemOf(seed: number): SplitProblem {
  const random = seededRandom(seed)
  const amount = Math.round(10 ** (5 + 3 * random()))
  const choices = Array.from({ length: 10 + Math.floor(20 * random()) }, () => {
    const stake = Math.round(10 ** (5.5 + 1.5 * random()))
    const rate = 0.04 + 0.04 * random()
    const knee = random() < 0.5 ? 0 : Math.round(stake * random())
    const variance = (0.002 + 0.01 * random()) ** 2
    return rewardCurve({
      stake,
      slope: rate,
      knee,
      decline: rate * (stake + knee) * stake,
      cost: 0,
      variance,
    })
  })
  return {
    amount,
    risk: (random() < 0.3 ? 0 : 30) / amount,
    choices,
    least: Math.ceil(amount / 50),
    most: Math.ceil(amount * (0.3 + 0.7 * random())),
    maxChosen: 4 + Math.floor(5 * random()),
    free: [],
  }
}
