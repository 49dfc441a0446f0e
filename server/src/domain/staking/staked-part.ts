import type { RewardCurve } from './solver/reward-curve.ts'
import type { StakeOption } from './stake-options.ts'

/** A validator that may be chosen. */
export type Place = { readonly option: StakeOption; readonly curve: RewardCurve }

/** A validator that was chosen, and what it gets: to the unit, and as floats have it. */
export type StakedPart = Place & { readonly units: bigint; readonly amount: number }
