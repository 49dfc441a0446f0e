import type { NetworkName } from '#ports/chain/staking-chain.ts'
import { epochsUntilFree } from '../epoch-rules.ts'
import type { StakeOptions } from '../stake-options.ts'

/**
 * How far ahead a plan looks. Where pay is equal, three weeks: what makes a pool pay more is its size, and that does not
 * last. Where pay is by stake, two months, and a few epochs where epochs are long.
 */
const HORIZON_EPOCHS = {
  sandbox: 20,
  ika: 20,
  walrus: 6,
  sui: 60,
  'ika-testnet': 20,
  'walrus-testnet': 60,
  'sui-testnet': 60,
} as const satisfies Record<NetworkName, number>

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
  const epochs = Math.max(horizon ?? HORIZON_EPOCHS[network], stillEarning + IDLE_EPOCHS)
  const remaining = epochs - stillEarning
  return {
    horizonEpochs: epochs,
    stillEarning,
    idle: IDLE_EPOCHS,
    arrival: remaining > 0 ? (remaining - IDLE_EPOCHS) / remaining : 0,
  }
}
