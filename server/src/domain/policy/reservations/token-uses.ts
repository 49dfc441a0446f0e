import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import type { Facts, Found, Wish, WishItem } from '../wish.ts'
import { indexTokens } from './new-stakes.ts'
import { isOver } from './shown-effects.ts'

/**
 * A transaction names a token, not its value, which a join or a partial unstake may change before it is executed.
 * The check of amounts holds only if no other pending transaction changes the token, so a token is in one pending
 * transaction at a time, or in several of which the chain executes one.
 */

type Item = Pick<WishItem | ReservedItem, 'action' | 'token' | 'amount' | 'joinedIds'>

const idsIn = ({ token, joinedIds = [] }: Item): readonly string[] => (token ? [token.id, ...joinedIds] : [])

/**
 * The use of a whole token, equal for items that are the same action on it and can be executed only once. Undefined:
 * the item takes from no token, or only a part of it.
 */
function wholeUse({ action, token, amount, joinedIds = [] }: Item): string | undefined {
  if (!token) return undefined
  if (action === 'join') return `join ${[token.id, ...joinedIds].join()}`
  return amount === token.principal ? `${action} ${token.id}` : undefined
}

const wholeUsesIn = (items: readonly Item[]): ReadonlySet<string> =>
  new Set(items.flatMap((item) => wholeUse(item) ?? []))

/** Whether the chain can execute the transaction only once: a second one with the same items is refused. */
export const runsOnce = (items: readonly Item[]): boolean =>
  items.some((item) => wholeUse(item) !== undefined)

/** Whether the chain can execute only one of this and another transaction. */
export function excludes(items: readonly Item[]): (others: readonly Item[]) => boolean {
  const uses = wholeUsesIn(items)
  if (uses.size === 0) return () => false
  return (others) =>
    others.some((other) => {
      const use = wholeUse(other)
      return use !== undefined && uses.has(use)
    })
}

type Basis = Pick<Facts, 'built' | 'now'> & { readonly tokens: readonly StakedToken[] | undefined }

/** Tokens of the wish that another pending transaction uses. */
export function brokenByOtherUses(
  { items }: Wish,
  { built, now, tokens = [] }: Basis,
  settlingMs: number,
): readonly Found[] {
  const takes = items.filter(({ token }) => token !== undefined)
  if (takes.length === 0) return []
  const settlesAt = ({ expiresAt }: Reservation) => expiresAt + settlingMs
  const index = indexTokens(tokens)
  const open = built.filter((one) => settlesAt(one) > now && !one.isSeen && !isOver(one, index))
  return open.flatMap((one) => {
    const heldBy = heldIn(one)
    return takes.flatMap((item) => {
      const held = heldBy(item)
      if (held.length === 0) return []
      return {
        field: item.action === 'join' ? 'stakedTokenIds' : 'stakedTokenId',
        rule: 'oneTransactionPerToken' as const,
        limit: 'one transaction at a time for each staked token',
        actual: `another one for ${held.join(', ')}: the transaction with intentId ${one.intentId} may still be executed, unless it is released`,
        clearsAt: settlesAt(one),
      }
    })
  })
}

/** The tokens of an item that the pending transaction uses for something else. */
function heldIn(pending: Reservation): (item: Item) => readonly string[] {
  const users = new Map<string, Item[]>()
  for (const other of pending.items)
    for (const id of idsIn(other)) {
      const known = users.get(id)
      if (known) known.push(other)
      else users.set(id, [other])
    }
  return (item) => {
    const use = wholeUse(item)
    const isOtherUse = (other: Item) => use === undefined || use !== wholeUse(other)
    const others = new Set(idsIn(item).flatMap((id) => (users.get(id) ?? []).filter(isOtherUse)))
    const taken = new Set([...others].flatMap(idsIn))
    return idsIn(item).filter((id) => taken.has(id))
  }
}
