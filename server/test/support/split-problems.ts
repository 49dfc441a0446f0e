import fc from 'fast-check'
import type { SplitProblem } from '#domain/staking/solver/dual-bound.ts'
import { type RewardCurve, rewardCurve } from '#domain/staking/solver/reward-curve.ts'

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })

/** From 10^min to 10^max, every size equally likely. */
const ofSize = (min: number, max: number) => between(min, max).map((power) => 10 ** power)

/** Few values, so that ties are frequent. */
const rate = fc.oneof(between(0.02, 0.12), fc.constantFrom(0.04, 0.05, 0.06))
const variance = fc.oneof(between(0, 0.02), fc.constant(0.005)).map((deviation) => deviation ** 2)

export const equalPayCurve = (cost: fc.Arbitrary<number>): fc.Arbitrary<RewardCurve> =>
  fc
    .record({ stake: ofSize(2, 8), rate, cost, variance })
    .map(({ stake, rate, cost, variance }) =>
      rewardCurve({ stake, slope: 0, knee: 0, decline: rate * stake * stake, cost, variance }),
    )

export const byStakeCurve = (cost: fc.Arbitrary<number>): fc.Arbitrary<RewardCurve> =>
  fc
    .record({
      stake: ofSize(2, 8),
      slope: rate,
      knee: fc.oneof(ofSize(0, 8), fc.constant(1e12)),
      cost,
      variance,
    })
    .map((shape) => {
      const knee = Math.floor(shape.knee)
      return rewardCurve({ ...shape, knee, decline: shape.slope * (shape.stake + knee) * shape.stake })
    })

const noCost = fc.constant(0)
const someCost = fc.oneof(noCost, between(0, 0.03))

export const anyCurve = (cost: fc.Arbitrary<number> = noCost): fc.Arbitrary<RewardCurve> =>
  fc.oneof(equalPayCurve(cost), byStakeCurve(cost))

/** Problems of all kinds: ties, knees, costs, minima, caps, free slots, impossible ones. */
export const splitProblem = (maxChoices: number): fc.Arbitrary<SplitProblem> =>
  fc
    .record({
      amount: ofSize(3, 8).map(Math.round),
      leastShare: fc.oneof(fc.constant(0.001), between(0.001, 0.6)),
      mostShare: fc.oneof(fc.constant(1), between(0.15, 0.99)),
      aversion: fc.oneof(fc.constant(0), ofSize(0, 3)),
      maxChosen: fc.integer({ min: 1, max: 5 }),
      choices: fc.array(anyCurve(someCost), { minLength: 1, maxLength: maxChoices }),
      free: fc.array(fc.record({ curve: anyCurve(), share: between(0, 0.7) }), { maxLength: 3 }),
    })
    .map(({ amount, leastShare, mostShare, aversion, maxChosen, choices, free }) => {
      // Whole units, as in the real problem.
      const most = Math.ceil(amount * mostShare)
      const least = Math.min(most, Math.ceil(amount * leastShare))
      return {
        amount,
        risk: aversion / amount,
        choices,
        least,
        most,
        maxChosen: Math.min(maxChosen, Math.floor(amount / least)),
        free: free.map(({ curve, share }) => ({ curve, least: 0, most: Math.ceil(amount * share) })),
      }
    })
