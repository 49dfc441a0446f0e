import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highsSolver } from '../../../../test/support/highs-bracket.ts'
import { seededRandom } from '../../../../test/support/sample-network.ts'
import { runs } from '../../../../test/support/split-problems.ts'
import { findBestSplit } from './best-split.ts'
import type { SplitProblem } from './dual-bound.ts'
import { rewardCurve } from './reward-curve.ts'

test('HiGHS, a general solver, finds no better split and no lower bound', async () => {
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

/** Ten to thirty pools of both kinds; amounts from far below their size to above it. */
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
