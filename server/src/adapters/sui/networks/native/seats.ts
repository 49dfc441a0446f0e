/**
 * SIP-39 in its last phase, in 1/10,000 of the voting power: a validator needs `join` to become a member. A member with
 * less than `low` is on probation and leaves after `probationEpochs`; below `veryLow` it leaves with the next epoch.
 */
export const SEAT_POWER = { join: 3n, low: 2n, veryLow: 1n, all: 10_000n, probationEpochs: 7 } as const

/** The least stake that gives a member `low`. Rounded up, because the contract rounds voting power down. */
export const leastSafeStake = (totalStake: bigint): bigint =>
  divideUp(totalStake * SEAT_POWER.low, SEAT_POWER.all)

/** The least stake that gives a new validator `join`; its stake is added to the total. */
export const leastJoiningStake = (totalStake: bigint): bigint =>
  divideUp(totalStake * SEAT_POWER.join, SEAT_POWER.all - SEAT_POWER.join)

const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor
