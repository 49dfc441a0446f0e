import { NETWORK_RULES } from '../../../networks.ts'
import { epochsUntilFree } from '../epoch-rules.ts'
import type { StakeOptions } from '../stake-options.ts'

/** Moved stake earns nothing for one epoch: it is out of one pool before it counts in the next. */
const IDLE_EPOCHS = 1

export type SwitchingCost = {
  /** As it was asked for. */
  readonly horizonEpochs: number
  /** The same, but never too short for stake to arrive: then nothing is gained by moving. */
  readonly weighedEpochs: number
  /** Epochs in which moved stake still earns where it was. */
  readonly stillEarning: number
  readonly idle: number
  /** The part of what new stake would earn over the rest of the horizon that it does earn, as it arrives late. */
  readonly arrival: number
}

export function switchingCost({ network, epoch }: StakeOptions, horizon?: number): SwitchingCost {
  const stillEarning = epochsUntilFree(network, {
    inCommittee: true,
    inNextCommittee: epoch.nextCommitteeSelected,
  })
  const horizonEpochs = horizon ?? NETWORK_RULES[network].planEpochs
  // A horizon in which the stake would not even arrive is no reason to move.
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
