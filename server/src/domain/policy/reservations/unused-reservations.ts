import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import { isShown, isTaken, stakesSince } from './shown-effects.ts'

/** What the chain shows now of the sender's tokens. */
export type Shown = { readonly tokens: readonly StakedToken[] }

/** Those that the chain shows as carried out, with all that they do. */
export const shownAmong = (reservations: readonly Reservation[], { tokens }: Shown): readonly string[] =>
  reservations.filter((one) => isShown(one, tokens)).map(({ id }) => id)

/**
 * Whether nothing of the reservation was ever carried out. All items of a transaction are carried out or none, but others
 * may have changed since what one of them did. In doubt it counts as carried out: a smaller stake may be what is left of
 * the one that was made, and a smaller token what is left after a part was taken.
 */
export const isUnused = ({ items, epoch, isSeen }: Reservation, { tokens }: Shown): boolean =>
  !isSeen &&
  items.every((item) =>
    item.token
      ? !isTaken(item, tokens) && !isSmaller(item, tokens)
      : stakesSince(item, epoch, tokens).every((principal) => principal > item.amount),
  )

const isSmaller = ({ token }: ReservedItem, tokens: readonly StakedToken[]): boolean =>
  tokens.some(({ id, principal }) => id === token?.id && principal < token.principal)
