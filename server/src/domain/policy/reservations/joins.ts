import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import type { Facts, Found, Wish, WishItem } from '../wish.ts'

/** What a join is for the rules: it moves no stake, but it can hide that some was taken. */

/** The tokens that end by a join are gone once it is carried out. One that is gone otherwise cannot be joined either. */
export const isJoined = ({ joinedIds = [] }: ReservedItem, tokens: readonly StakedToken[]): boolean =>
  joinedIds.some((id) => tokens.every((held) => held.id !== id))

type Item = Pick<WishItem | ReservedItem, 'action' | 'token'>

/**
 * Whether a part was taken is seen by what is left of the token. A join that fills it up would hide that, so of one
 * token only the one or the other may be on its way.
 */
export function brokenByJoins(
  { items }: Wish,
  { built, now }: Pick<Facts, 'built' | 'now'>,
  settlingMs: number,
): readonly Found[] {
  const settledAt = ({ expiresAt }: Reservation) => expiresAt + settlingMs
  return built
    .filter((one) => !one.isSeen && settledAt(one) > now)
    .flatMap((one) =>
      items
        .filter((item) => one.items.some((other) => hides(item, other)))
        .map((item) => ({
          field: item.action === 'join' ? 'stakedTokenIds' : 'stakedTokenId',
          limit: 'no join into a token while a part of it is on its way, nor the other way round',
          actual: `a transaction that was built before and may still be carried out takes part in ${item.token?.id}`,
          clearsAt: settledAt(one),
        })),
    )
}

const hides = (item: Item, other: Item): boolean =>
  item.token !== undefined &&
  item.token.id === other.token?.id &&
  (item.action === 'join') !== (other.action === 'join')
