import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'

/** What the chain shows now of the sender's tokens. */
export type Shown = { readonly tokens: readonly StakedToken[] }

/**
 * Whether the chain shows that nothing of the reservation was carried out. All items of a transaction are carried out
 * or none, so one that was is enough. In doubt, such as with another stake just like it, it counts as carried out.
 */
export const isUnused = ({ items, epoch }: Reservation, { tokens }: Shown): boolean =>
  items.every((item) => isItemUnused(item, epoch, tokens))

function isItemUnused(item: ReservedItem, epoch: number, tokens: readonly StakedToken[]): boolean {
  const { action, token, validatorId, amount } = item
  if (token === undefined) {
    // A stake becomes active in a later epoch than it was made in.
    return !tokens.some(
      (held) => held.validatorId === validatorId && held.principal === amount && held.activationEpoch > epoch,
    )
  }
  const held = tokens.find(({ id }) => id === token.id)
  if (!held || held.principal < token.principal) return false
  return action === 'withdraw' || held.withdrawEpoch === undefined
}
