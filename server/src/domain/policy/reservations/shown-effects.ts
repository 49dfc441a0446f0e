import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'

/**
 * What the chain shows of a transaction that was built. The chain does all of it or nothing, so it was carried out if all
 * of its effects are there, and cannot be any more once a token that it names is gone.
 */

type Tokens = readonly StakedToken[]

/** What was staked with the validator; a stake becomes active in a later epoch than it was made in. */
export const stakesSince = (
  { validatorId }: Pick<ReservedItem, 'validatorId'>,
  epoch: number,
  tokens: Tokens,
): readonly bigint[] =>
  tokens
    .filter((held) => held.validatorId === validatorId && held.activationEpoch > epoch)
    .map(({ principal }) => principal)

/** Whether the chain shows all that the transaction does, another stake just like one of it included. */
export const isShown = ({ items, epoch }: Pick<Reservation, 'items' | 'epoch'>, tokens: Tokens): boolean =>
  items.every((item) =>
    item.token ? isTaken(item, tokens) : stakesSince(item, epoch, tokens).includes(item.amount),
  )

/** Whether what the item does to its token is done. A smaller token shows a part that was taken, and no more. */
export function isTaken(item: ReservedItem, tokens: Tokens): boolean {
  const { token, amount, action } = item
  if (!token) return false
  if (isImpossible(item, tokens)) return true
  const held = tokens.find(({ id }) => id === token.id)
  return action !== 'join' && held !== undefined && held.principal <= token.principal - amount
}

/** Whether the transaction was carried out, or never will be. */
export const isOver = (reservation: Pick<Reservation, 'items' | 'epoch'>, tokens: Tokens): boolean =>
  cannotCome(reservation, tokens) || isShown(reservation, tokens)

/** Whether the chain would refuse the transaction now and later. */
export const cannotCome = ({ items }: Pick<Reservation, 'items'>, tokens: Tokens): boolean =>
  items.some((item) => isImpossible(item, tokens))

/** A token that is gone does not come back, and one that was asked back is not asked back again. */
function isImpossible({ action, token, joinedIds = [] }: ReservedItem, tokens: Tokens): boolean {
  if (!token) return false
  const found = [token.id, ...joinedIds].map((id) => tokens.find((held) => held.id === id))
  return found.some((held) => !held || (action === 'unstake' && held.withdrawEpoch !== undefined))
}
