import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import type { Facts, Found, Wish, WishItem } from '../wish.ts'
import { isOver } from './shown-effects.ts'

/**
 * A transaction names a token, not its value, which a join or a partial unstake may change before it is executed.
 * The check of amounts holds only if no other pending transaction changes the token, so a token is in one pending
 * transaction at a time, or in several of which the chain executes one.
 */

type Item = Pick<WishItem | ReservedItem, 'action' | 'token' | 'amount' | 'joinedIds'>

const idsIn = ({ token, joinedIds = [] }: Item): readonly string[] => (token ? [token.id, ...joinedIds] : [])

const isWhole = ({ action, token, amount }: Item): boolean => action !== 'join' && amount === token?.principal

const haveTokenInCommon = (one: Item, other: Item): boolean =>
  idsIn(one).some((id) => idsIn(other).includes(id))

/** Whether both are the same action on the whole token, which can be executed only once. */
const isSameUse = (one: Item, other: Item): boolean =>
  one.action === other.action &&
  (one.action === 'join'
    ? idsIn(one).join() === idsIn(other).join()
    : one.token?.id === other.token?.id && isWhole(one) && isWhole(other))

/** Whether the chain can execute only one of the two transactions. */
export const excludeEachOther = (ones: readonly Item[], others: readonly Item[]): boolean =>
  ones.some((one) => others.some((other) => haveTokenInCommon(one, other) && isSameUse(one, other)))

type Basis = Pick<Facts, 'built' | 'now'> & { readonly tokens: readonly StakedToken[] | undefined }

/** Tokens of the wish that another pending transaction uses. */
export function brokenByOtherUses(
  { items }: Wish,
  { built, now, tokens = [] }: Basis,
  settlingMs: number,
): readonly Found[] {
  const settlesAt = ({ expiresAt }: Reservation) => expiresAt + settlingMs
  const open = built.filter((one) => settlesAt(one) > now && !one.isSeen && !isOver(one, tokens))
  return open.flatMap((one) =>
    items.flatMap((item) => {
      const held = heldBy(one, item)
      if (held.length === 0) return []
      return {
        field: item.action === 'join' ? 'stakedTokenIds' : 'stakedTokenId',
        rule: 'oneTransactionPerToken' as const,
        limit: 'one transaction at a time for each staked token',
        actual: `another one for ${held.join(', ')}: the transaction with intentId ${one.intentId} may still be carried out, unless it is given back`,
        clearsAt: settlesAt(one),
      }
    }),
  )
}

/** The tokens of the item that the pending transaction uses for something else. */
function heldBy(pending: Reservation, item: Item): readonly string[] {
  const others = pending.items.filter((other) => haveTokenInCommon(item, other) && !isSameUse(item, other))
  return idsIn(item).filter((id) => others.some((other) => idsIn(other).includes(id)))
}
