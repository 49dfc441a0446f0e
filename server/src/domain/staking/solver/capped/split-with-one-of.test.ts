import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../../../test/support/sample-network.ts'
import type { SplitProblem } from '../dual-bound.ts'
import { type RewardCurve, rewardCurve } from '../reward-curve.ts'
import type { GroupCap } from './capped-split.ts'
import { newSearchWork } from './search-work.ts'
import { findSplitWithOneOf } from './split-with-one-of.ts'

const AMOUNT = 1e6

/** Validators in three families of overlapping groups; the worse half of them is `oneOf`. */
function hardProblem(seed: number) {
  const random = seededRandom(seed)
  const choices = Array.from({ length: 24 }, () =>
    rewardCurve({
      stake: 1e5,
      slope: 0,
      knee: 0,
      decline: (0.05 + 0.001 * random()) * 1e10,
      cost: 0,
      variance: 1e-4 * random(),
    }),
  ).toSorted((a, b) => b.entry - a.entry)
  const groups = [9, 6, 5].flatMap((size, family): readonly GroupCap[] => {
    const own = choices.map(() => Math.floor(size * random()))
    return Array.from({ length: size }, (_, group) => ({
      members: new Set(choices.filter((_, at) => own[at] === group)),
      most: ([0.3, 0.4, 0.45][family] ?? 1) * AMOUNT,
    }))
  })
  const problem: SplitProblem = {
    amount: AMOUNT,
    risk: 10 / AMOUNT,
    choices,
    least: 1,
    most: AMOUNT,
    maxChosen: 6,
    free: [],
  }
  return { problem, groups, oneOf: new Set(choices.slice(12)) }
}

/** What the last search may do beyond the limit: one round of prices and one relaxation over all curves. */
const OVERSHOOT = 24 * 100

test('the searches of all members share one work limit; cut short, the bound still covers the best split', () => {
  let cut = 0
  for (let seed = 0; seed < 6; seed++) {
    const { problem, groups, oneOf } = hardProblem(seed)
    const isMember = ({ curve }: { readonly curve: RewardCurve }) => oneOf.has(curve)
    const best = findSplitWithOneOf(problem, groups, oneOf, { work: newSearchWork() })
    assert.ok(best)
    assert.ok(best.parts.some(isMember))
    for (const units of [500, 2_000, 5_000, 20_000]) {
      const work = newSearchWork(units)
      const split = findSplitWithOneOf(problem, groups, oneOf, { work })
      assert.ok(work.units > -OVERSHOOT, `${units - work.units} instead of ${units}`)
      if (work.units <= 0) cut += 1
      if (!split) {
        assert.ok(work.units <= units / 2, 'a search was cut short')
        continue
      }
      assert.ok(split.parts.some(isMember))
      assert.ok(split.value <= best.bound * (1 + 1e-9))
      assert.ok(split.bound >= best.value * (1 - 1e-9), `${split.bound} below ${best.value}`)
    }
  }
  assert.ok(cut > 6, `only ${cut} searches were cut short`)
})
