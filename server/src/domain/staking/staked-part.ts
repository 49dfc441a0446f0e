import type { RewardCurve } from './solver/reward-curve.ts'
import type { StakeOption } from './stake-options.ts'

/** A validator that may be chosen. */
export type Place = {
  readonly option: StakeOption
  /** What is added on top of `held` earns, up to a share of its own. */
  readonly curve: RewardCurve
  /** What the caller's whole stake there earns, `held` included. */
  readonly base: RewardCurve
  readonly held: bigint
}

/** A validator that was chosen, and what it gets: to the unit, and as floats have it. */
export type StakedPart = Place & { readonly units: bigint; readonly amount: number }
