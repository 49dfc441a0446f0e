import { NETWORK_RULES } from '../../../networks.ts'
import { epochsUntilActive, epochsUntilFree, type Membership } from '../epoch-rules.ts'
import type { StakeOptions } from '../stake-options.ts'
import { exitOf, type HeldToken, wholeToken } from './held-token.ts'

/** Active stake that moves earns nothing for one epoch: it leaves one pool before it counts in the next. */
const IDLE_EPOCHS = 1

export type SwitchingCost = {
  /** The horizon that the caller asked for. */
  readonly horizonEpochs: number
  /** The horizon used for the decision: long enough for moved active stake to earn for at least one epoch. */
  readonly weighedEpochs: number
  /** The number of epochs in which moving active stake still earns at its old place. */
  readonly stillEarning: number
  readonly idle: number
  /** Of the epochs after those, the fraction in which it earns at its new place. */
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
 * Whether a token that moves loses no epoch: it earns at its new place as soon as it would have earned at its old one.
 * True for pending stake that is paid back at once, and for coins that can be staked now.
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
