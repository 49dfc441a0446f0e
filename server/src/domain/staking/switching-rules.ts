import type { NetworkName } from '#ports/staking-chain.ts'
import type { StakeOption, StakeOptions } from './stake-options.ts'

/** How stake is moved on a network, and what that costs in epochs. */
type SwitchingRules = {
  /** Asked back now, bound stake comes back in a later epoch; `false`: at once, without this epoch's reward. */
  readonly twoSteps: boolean
  /** How far ahead a plan looks: about two months, and a few epochs where epochs are long. */
  readonly horizonEpochs: number
}

const RULES = {
  sandbox: { twoSteps: true, horizonEpochs: 60 },
  ika: { twoSteps: true, horizonEpochs: 60 },
  walrus: { twoSteps: true, horizonEpochs: 6 },
  sui: { twoSteps: false, horizonEpochs: 60 },
} as const satisfies Record<NetworkName, SwitchingRules>

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
  const { twoSteps, horizonEpochs } = RULES[network]
  const stillEarning = twoSteps ? (epoch.nextCommitteeSelected ? 2 : 1) : 0
  // A horizon in which the stake would not even arrive is no reason to move.
  const epochs = Math.max(horizon ?? horizonEpochs, stillEarning + IDLE_EPOCHS)
  const remaining = epochs - stillEarning
  return {
    horizonEpochs: epochs,
    stillEarning,
    idle: IDLE_EPOCHS,
    arrival: remaining > 0 ? (remaining - IDLE_EPOCHS) / remaining : 0,
  }
}

/** In how many epochs stake that is asked back now can be withdrawn. 0: now. */
export function epochsUntilWithdrawal({ network }: StakeOptions, option: StakeOption): number {
  if (!RULES[network].twoSteps) return 0
  if (option.inNextCommittee) return 2
  return option.inCommittee ? 1 : 0
}

/** Until everything that moves is active again. Stakes are made at the start of the epoch that frees the last one. */
export function epochsToComplete({ network, epoch }: StakeOptions, longestWait: number): number {
  if (longestWait > 0) return longestWait + 1
  return RULES[network].twoSteps && epoch.nextCommitteeSelected ? 2 : 1
}
