import type { MovedSums, ReservedItem } from '#ports/stores/reservations.ts'
import { STAKING_ACTIONS } from '../../../../../basics/staking-actions.ts'
import { amount } from '../../../stored-shape.ts'

/** Amounts by action. Sums of 64-bit amounts do not fit an integer column, so they are stored as text. */

export const NOTHING_MOVED = { stake: 0n, unstake: 0n, withdraw: 0n, join: 0n } satisfies MovedSums

export function movedIn(items: readonly ReservedItem[]): MovedSums {
  const sums = { ...NOTHING_MOVED }
  for (const { action, amount: moved } of items) sums[action] += moved
  return sums
}

export const addSums = (a: MovedSums, b: MovedSums): MovedSums => ({
  stake: a.stake + b.stake,
  unstake: a.unstake + b.unstake,
  withdraw: a.withdraw + b.withdraw,
  join: a.join + b.join,
})

export const subtractSums = (a: MovedSums, b: MovedSums): MovedSums => ({
  stake: a.stake - b.stake,
  unstake: a.unstake - b.unstake,
  withdraw: a.withdraw - b.withdraw,
  join: a.join - b.join,
})

export const isBelowZero = (sums: MovedSums): boolean => STAKING_ACTIONS.some((action) => sums[action] < 0n)

export const ofActions = (sums: MovedSums, actions: readonly string[]): bigint =>
  STAKING_ACTIONS.reduce((sum, action) => (actions.includes(action) ? sum + sums[action] : sum), 0n)

export const toText = ({ stake, unstake, withdraw, join }: MovedSums): string =>
  `${stake},${unstake},${withdraw},${join}`

export function fromText(text: string): MovedSums {
  const [stake, unstake, withdraw, join] = text.split(',')
  return {
    stake: amount(stake, COLUMN),
    unstake: amount(unstake, COLUMN),
    withdraw: amount(withdraw, COLUMN),
    join: amount(join, COLUMN),
  }
}

const COLUMN = 'reserved_sums.moved'
