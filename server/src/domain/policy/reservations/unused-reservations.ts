import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import { isJoined } from './joins.ts'

/** What the chain shows now of the sender's tokens. */
export type Shown = { readonly tokens: readonly StakedToken[] }

/** Those that the chain shows as carried out, another stake just like it included. */
export const shownAmong = (reservations: readonly Reservation[], { tokens }: Shown): readonly string[] =>
  reservations
    .filter(({ items, epoch }) =>
      items.some((item) =>
        item.token ? isTaken(item, tokens) : stakesSince(item, epoch, tokens).includes(item.amount),
      ),
    )
    .map(({ id }) => id)

/**
 * Whether nothing of the reservation was ever carried out. All items of a transaction are carried out or none, so one
 * that was is enough. In doubt it counts as carried out: a smaller stake may be what is left of the one that was made.
 */
export const isUnused = ({ items, epoch, isSeen }: Reservation, { tokens }: Shown): boolean =>
  !isSeen &&
  items.every((item) =>
    item.token
      ? !isTaken(item, tokens)
      : stakesSince(item, epoch, tokens).every((principal) => principal > item.amount),
  )

/** What was staked with the validator; a stake becomes active in a later epoch than it was made in. */
const stakesSince = (
  { validatorId }: ReservedItem,
  epoch: number,
  tokens: readonly StakedToken[],
): readonly bigint[] =>
  tokens
    .filter((held) => held.validatorId === validatorId && held.activationEpoch > epoch)
    .map(({ principal }) => principal)

function isTaken(item: ReservedItem, tokens: readonly StakedToken[]): boolean {
  const { action, token } = item
  if (action === 'join') return isJoined(item, tokens)
  const held = tokens.find(({ id }) => id === token?.id)
  if (!held || (token && held.principal < token.principal)) return true
  return action !== 'withdraw' && held.withdrawEpoch !== undefined
}
