import { type RewardCurve, rewardOf } from './reward-curve.ts'

/**
 * Whether `better` gains at least as much as `worse` with every amount up to `most`, so that it could replace `worse`
 * in every split. Conservative: may return false for a curve that dominates, never true for one that does not.
 */
export function dominates(better: RewardCurve, worse: RewardCurve, most: number): boolean {
  if (better.cost > worse.cost || better.variance > worse.variance || better.cap < worse.cap) return false
  // Up to its knee a curve is a straight line that does not depend on the stake of the pool.
  if (better.knee >= most && worse.knee >= most) return better.slope >= worse.slope
  if (better.knee === 0 && worse.knee === 0) {
    // The quotient of two such rewards only rises or only falls with the amount: the two ends decide.
    return entryReward(better) >= entryReward(worse) && rewardOf(better, most) >= rewardOf(worse, most)
  }
  return (
    better.stake === worse.stake &&
    better.knee === worse.knee &&
    better.slope >= worse.slope &&
    better.decline >= worse.decline
  )
}

const entryReward = ({ entry, cost }: RewardCurve): number => entry + cost
