/**
 * SIP-39 in its last phase, of 10,000 whole parts of the voting power: `join` to come in, and from `low` on a member is
 * safe. With less it is on probation and may stay for so many epochs; below `veryLow` it leaves with the next one.
 */
export const SEAT_POWER = { join: 3n, low: 2n, veryLow: 1n, all: 10_000n, probationEpochs: 7 } as const

/** The least stake that the contract rounds to enough parts: it rounds down, so this is rounded up. */
export const leastSafeStake = (totalStake: bigint): bigint =>
  divideUp(totalStake * SEAT_POWER.low, SEAT_POWER.all)

/** The same for a newcomer, whose stake comes on top of the total. */
export const leastJoiningStake = (totalStake: bigint): bigint =>
  divideUp(totalStake * SEAT_POWER.join, SEAT_POWER.all - SEAT_POWER.join)

const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor
