/** What a transaction may do with stake. */
export const STAKING_ACTIONS = ['stake', 'unstake', 'withdraw', 'join'] as const
