import type { Schedule } from './schedule.ts'

export type RebalanceStep = {
  readonly action: 'unstake' | 'stake'
  readonly validatorId: string
  /** Unstake: principal. Stake: coins. */
  readonly amount: bigint
  /** Unstake: the rewards earned so far, which are paid out on top. */
  readonly rewards: bigint | undefined
  /** Unstake: the funds arrive in a later epoch. Stake: it needs such funds, which must be withdrawn first. */
  readonly requiresEpochWait: boolean
  /** The epoch in which to take the step. */
  readonly epoch: number
  readonly order: number
  /** The token to unstake; when the amount is less than its principal, that much is split off. */
  readonly stakedTokenId: string | undefined
}

/** The plan as steps: all unstakes first, then the stakes in the order of their epochs. */
export function stepsOf({ exits, stakes }: Schedule, epoch: number): readonly RebalanceStep[] {
  const unstakes = exits.map(({ part: { token, principal, rewards }, atEpoch }) => ({
    action: 'unstake' as const,
    validatorId: token.validatorId,
    amount: principal,
    rewards,
    requiresEpochWait: atEpoch > epoch,
    epoch,
    stakedTokenId: token.stakedTokenId,
  }))
  const arrivals = stakes.map(({ target, amount, atEpoch }) => ({
    action: 'stake' as const,
    validatorId: target.option.validatorId,
    amount,
    rewards: undefined,
    requiresEpochWait: atEpoch > epoch,
    epoch: atEpoch,
    stakedTokenId: undefined,
  }))
  return [...unstakes, ...arrivals].map((step, index) => ({ ...step, order: index + 1 }))
}
