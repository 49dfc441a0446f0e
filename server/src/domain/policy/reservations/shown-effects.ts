import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import type { TokenIndex } from './new-stakes.ts'

/**
 * Reads the outcome of a built transaction from the chain. Transactions are atomic: it was executed if all of its
 * effects are there, and can no longer be executed once a token that it names is gone.
 */

/** Whether the chain shows all effects of the transaction. An equal stake of another transaction counts, too. */
const isShown = ({ items, epoch }: Pick<Reservation, 'items' | 'epoch'>, tokens: TokenIndex): boolean =>
  items.every((item) => {
    if (item.token) return isTaken(item, tokens)
    const [newest] = tokens.like(item)
    return newest !== undefined && newest.activationEpoch > epoch
  })

/** Whether the token shows the effect of the item: it is gone, or smaller by at least the amount. */
export function isTaken(item: ReservedItem, tokens: TokenIndex): boolean {
  const { token, amount, action } = item
  if (!token) return false
  if (isImpossible(item, tokens)) return true
  const held = tokens.byId.get(token.id)
  return action !== 'join' && held !== undefined && held.principal <= token.principal - amount
}

/** Whether the transaction was executed, or never can be. */
export const isOver = (reservation: Pick<Reservation, 'items' | 'epoch'>, tokens: TokenIndex): boolean =>
  cannotExecute(reservation, tokens) || isShown(reservation, tokens)

/** Whether the chain would refuse the transaction from now on. */
export const cannotExecute = ({ items }: Pick<Reservation, 'items'>, tokens: TokenIndex): boolean =>
  items.some((item) => isImpossible(item, tokens))

/** A token that is gone does not come back, and an unstaked one cannot be unstaked again. */
function isImpossible({ action, token, joinedIds = [] }: ReservedItem, { byId }: TokenIndex): boolean {
  if (!token) return false
  const found = [token.id, ...joinedIds].map((id) => byId.get(id))
  return found.some((held) => !held || (action === 'unstake' && held.withdrawEpoch !== undefined))
}
