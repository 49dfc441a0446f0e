import type { StakedToken } from '#ports/chain/staking-chain.ts'
import { isStaked } from '../reservations/new-stakes.ts'
import type { Wish } from '../wish.ts'

/** Stake, or changes of it, by validator. */
export type Amounts = ReadonlyMap<string, bigint>

export const sumOf = (amounts: Amounts): bigint =>
  [...amounts.values()].reduce((sum, amount) => sum + amount, 0n)

/** Stake by validator. Unstaked tokens no longer count. */
export const heldIn = (tokens: readonly StakedToken[]): Amounts =>
  changed(
    new Map(),
    tokens.filter(isStaked).map(({ validatorId, principal }) => [validatorId, principal]),
  )

export const changesStake = ({ items }: Wish): boolean =>
  items.some(({ action, leavesStake }) => action === 'stake' || leavesStake)

/** The changes of stake by a transaction. */
export function changesIn({ items }: Wish): Amounts {
  const changes = new Map<string, bigint>()
  for (const { action, validatorId, amount, leavesStake } of items) {
    if (action !== 'stake' && !leavesStake) continue
    changes.set(validatorId, (changes.get(validatorId) ?? 0n) + (action === 'stake' ? amount : -amount))
  }
  return changes
}

/** Stake after the changes, without validators that have none left. */
export function changed(held: Amounts, changes: Iterable<readonly [string, bigint]>): Amounts {
  const after = new Map(held)
  for (const [id, change] of changes) {
    const left = (after.get(id) ?? 0n) + change
    if (left > 0n) after.set(id, left)
    else after.delete(id)
  }
  return after
}
