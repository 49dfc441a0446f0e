import { NETWORK_RULES } from '../../../networks.ts'
import { epochsUntilFree } from '../epoch-rules.ts'
import type { StakeOptions } from '../stake-options.ts'

/** Moved stake earns nothing for one epoch: it is out of one pool before it counts in the next. */
const IDLE_EPOCHS = 1

export type SwitchingCost = {
  readonly horizonEpochs: number
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
  // A horizon in which the stake would not even arrive is no reason to move.
  const epochs = Math.max(horizon ?? NETWORK_RULES[network].planEpochs, stillEarning + IDLE_EPOCHS)
  const remaining = epochs - stillEarning
  return {
    horizonEpochs: epochs,
    stillEarning,
    idle: IDLE_EPOCHS,
    arrival: remaining > 0 ? (remaining - IDLE_EPOCHS) / remaining : 0,
  }
}
