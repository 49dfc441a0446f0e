import { NETWORK_RULES } from '../../../networks.ts'
import { epochsUntilFree } from '../epoch-rules.ts'
import type { StakeOptions } from '../stake-options.ts'

/** Moved stake earns nothing for one epoch: it is out of one pool before it counts in the next. */
const IDLE_EPOCHS = 1

export type SwitchingCost = {
  /** The horizon that the caller asked for. */
  readonly horizonEpochs: number
  /** The horizon used for the decision: at least long enough for moved stake to become active. */
  readonly weighedEpochs: number
  /** Epochs in which moved stake still earns where it was. */
  readonly stillEarning: number
  readonly idle: number
  /** The fraction of the remaining horizon in which moved stake earns, because it becomes active late. */
  readonly arrival: number
}

export function switchingCost({ network, epoch }: StakeOptions, horizon?: number): SwitchingCost {
  const stillEarning = epochsUntilFree(network, {
    inCommittee: true,
    inNextCommittee: epoch.nextCommitteeSelected,
  })
  const horizonEpochs = horizon ?? NETWORK_RULES[network].planEpochs
  // With a horizon shorter than the move itself, nothing moves.
  const weighedEpochs = Math.max(horizonEpochs, stillEarning + IDLE_EPOCHS)
  const remaining = weighedEpochs - stillEarning
  return {
    horizonEpochs,
    weighedEpochs,
    stillEarning,
    idle: IDLE_EPOCHS,
    arrival: remaining > 0 ? (remaining - IDLE_EPOCHS) / remaining : 0,
  }
}
