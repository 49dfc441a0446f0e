import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem, Sighting } from '#ports/stores/reservations.ts'
import { isStaked, madeSince } from './new-stakes.ts'

/**
 * Finds the reservations of an agent that the chain shows as executed, with all their effects. Each effect settles one
 * reservation: a new token is the stake of one, and a decrease of a token is the unstake of one. Among equal reservations
 * the newest counts as executed, because it counts against the windows for longest.
 */

/** The sender's tokens on the chain, and the agent's reservations that are already settled. */
type Shown = { readonly tokens: readonly StakedToken[]; readonly seen: readonly Reservation[] }

export function sightingsAmong(unseen: readonly Reservation[], { tokens, seen }: Shown): readonly Sighting[] {
  const settled = [...seen]
  return unseen.toSorted(byWeight).flatMap((one) => {
    const madeIds = madeBy(one, { tokens, seen: settled })
    if (!madeIds) return []
    settled.push({ ...one, items: one.items.map((item, at) => ({ ...item, madeId: madeIds[at] })) })
    return [{ id: one.id, madeIds }]
  })
}

/** Reservations with more items first: more effects identify them. */
const byWeight = (one: Reservation, other: Reservation): number =>
  other.items.length - one.items.length || other.at - one.at || (other.id < one.id ? -1 : 1)

/** The new token of each stake among the items; undefined: not all items were executed. */
function madeBy({ items, epoch }: Reservation, shown: Shown): readonly (string | undefined)[] | undefined {
  const used = new Set(madeIn(shown.seen))
  const made: (string | undefined)[] = []
  for (const item of items) {
    const found = item.token
      ? undefined
      : madeSince(item, epoch, shown.tokens).find(
          ({ id, principal }) => principal === item.amount && !used.has(id) && !item.knownIds?.includes(id),
        )
    if (item.token ? !isDone(item, shown) : !found) return undefined
    if (found) used.add(found.id)
    made.push(found?.id)
  }
  return made
}

const madeIn = (seen: readonly Reservation[]): readonly string[] =>
  seen.flatMap(({ items }) => items.flatMap(({ madeId }) => madeId ?? []))

/** Whether the chain shows the item's effect on its tokens, and no settled reservation explains it. */
function isDone(item: ReservedItem, shown: Shown): boolean {
  if (item.action !== 'join') return unexplained(item, shown) >= item.amount
  const { joinedIds = [] } = item
  const isThere = (id: string) => shown.tokens.some((held) => held.id === id)
  return !joinedIds.some(isThere) && !joinedIds.some((id) => isJoinedBy(id, shown.seen))
}

const isJoinedBy = (id: string, seen: readonly Reservation[]): boolean =>
  seen.some(({ items }) => items.some(({ joinedIds }) => joinedIds?.includes(id)))

/** The decrease of the token since the item was built that no settled reservation explains. */
function unexplained({ action, token }: ReservedItem, { tokens, seen }: Shown): bigint {
  if (!token) return 0n
  if (isJoinedBy(token.id, seen)) return 0n
  const held = tokens.find(({ id }) => id === token.id)
  const isLeft = held && (action === 'withdraw' || isStaked(held))
  const others = seen
    .flatMap(({ items }) => items)
    .filter((other) => other.action === action && other.token?.id === token.id)
    // Unstakes before the item was built are not part of its principal.
    .filter((other) => (other.token?.principal ?? 0n) <= token.principal)
  const explained = others.reduce((sum, { amount }) => sum + amount, 0n)
  return token.principal - (isLeft ? held.principal : 0n) - explained
}

/**
 * From when on the reservation was certainly never executed: -∞ always, +∞ never. A transaction is atomic, but later ones
 * may have changed its effects, so in doubt it counts as executed: a smaller token may be the rest of its stake or of a
 * token it took from, and a stake that was matched to an equal reservation may be this one's until the other has expired.
 */
export function doubtEndsAt({ items, epoch, isSeen }: Reservation, { tokens, seen }: Shown): number {
  if (isSeen) return Number.POSITIVE_INFINITY
  const isUsed = ({ action, ...item }: ReservedItem) =>
    action === 'join'
      ? isDone({ action, ...item }, { tokens, seen })
      : item.token !== undefined && unexplained({ action, ...item }, { tokens, seen }) > 0n
  if (items.some(isUsed)) return Number.POSITIVE_INFINITY
  const expiries = new Map(seen.flatMap((one) => madeIn([one]).map((id) => [id, one.expiresAt] as const)))
  const doubtful = items
    .filter(({ token }) => token === undefined)
    .flatMap((item) => madeSince(item, epoch, tokens).filter(({ principal }) => principal <= item.amount))
  return Math.max(...doubtful.map(({ id }) => expiries.get(id) ?? Number.POSITIVE_INFINITY))
}

/** The tokens that can show the outcome of these reservations. */
export const tokensNamed = (
  reservations: readonly Reservation[],
  tokens: readonly StakedToken[],
): readonly string[] => [
  ...new Set([
    ...tokens.map(({ id }) => id),
    ...reservations.flatMap(({ items }) =>
      items.flatMap(({ token, joinedIds = [] }) => (token ? [token.id, ...joinedIds] : [])),
    ),
  ]),
]
