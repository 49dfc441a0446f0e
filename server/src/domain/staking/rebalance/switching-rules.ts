import { NETWORK_RULES } from '../../../networks.ts'
import { epochsUntilActive, epochsUntilFree, type Membership } from '../epoch-rules.ts'
import type { StakeOptions } from '../stake-options.ts'
import { exitOf, type HeldToken, wholeToken } from './held-token.ts'

/** Active stake that moves earns nothing for one epoch: it is out of one pool before it counts in the next. */
const IDLE_EPOCHS = 1

export type SwitchingCost = {
  /** The horizon that the caller asked for. */
  readonly horizonEpochs: number
  /** The horizon used for the decision: at least so long that active stake which moves earns for an epoch. */
  readonly weighedEpochs: number
  /** Epochs in which active stake that moves still earns where it was. */
  readonly stillEarning: number
  readonly idle: number
  /** The part of the epochs after those in which active stake that moves earns at its new place. */
  readonly arrival: number
}

export function switchingCost({ network, epoch }: StakeOptions, horizon?: number): SwitchingCost {
  const stillEarning = epochsUntilFree(network, {
    inCommittee: true,
    inNextCommittee: epoch.nextCommitteeSelected,
  })
  const horizonEpochs = horizon ?? NETWORK_RULES[network].planEpochs
  const weighedEpochs = Math.max(horizonEpochs, stillEarning + IDLE_EPOCHS + 1)
  const remaining = weighedEpochs - stillEarning
  return {
    horizonEpochs,
    weighedEpochs,
    stillEarning,
    idle: IDLE_EPOCHS,
    arrival: (remaining - IDLE_EPOCHS) / remaining,
  }
}

/**
 * Whether a token that moves earns at its new place as soon as it would have earned where it is: pending stake that is
 * paid back at once does, and so do coins that can be staked now.
 */
export function movesForFree(
  token: HeldToken,
  membership: Membership,
  market: StakeOptions,
  { stillEarning }: SwitchingCost,
): boolean {
  const { atEpoch } = exitOf(wholeToken(token), membership, market)
  const pendingFor = token.activationEpoch - market.epoch.number
  return epochsUntilActive(market, atEpoch) <= Math.max(stillEarning, pendingFor)
}
