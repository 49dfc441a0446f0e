import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem, Sighting } from '#ports/stores/reservations.ts'
import { compare } from '../../compare.ts'
import { isStaked, possiblyFrom } from './new-stakes.ts'

/**
 * Finds the reservations of an agent that the chain shows as executed, with all their effects. Each effect settles
 * one reservation: a new token is the stake of one, and a decrease of a token is the unstake of one. Among equal
 * reservations the newest counts as executed, because it counts against the windows for longest.
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
  other.items.length - one.items.length || other.at - one.at || compare(other.id, one.id)

/** The new token of each stake among the items; undefined: not all items were executed. */
function madeBy(one: Reservation, shown: Shown): readonly (string | undefined)[] | undefined {
  const used = new Set(madeIn(shown.seen))
  const made: (string | undefined)[] = []
  for (const item of one.items) {
    const found = item.token
      ? undefined
      : possiblyFrom(item, one, shown.tokens).find(
          ({ id, principal }) => principal === item.amount && !used.has(id),
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
 * The time from which it is certain that the reservation was never executed: −∞ for already certain, +∞ for never. In
 * doubt it counts as executed, because later transactions may have changed its effects: a token that no other
 * reservation explains may be its stake or the rest of it, even if the other stakes of its batch were withdrawn
 * since. A token matched to an equal reservation may belong to this one until the other has expired; as transactions
 * are atomic, every stake of this one then needs such a token.
 */
export function doubtEndsAt(one: Reservation, shown: Shown): number {
  if (one.isSeen) return Number.POSITIVE_INFINITY
  const stakes = one.items.filter(({ token }) => token === undefined)
  const takes = one.items.filter(({ token }) => token !== undefined)
  if (takes.some((item) => isUntouched(item, shown))) return Number.NEGATIVE_INFINITY
  const isUsed = (item: ReservedItem) =>
    item.action === 'join' ? isDone(item, shown) : unexplained(item, shown) > 0n
  if (takes.some(isUsed)) return Number.POSITIVE_INFINITY
  const restsOf = openRests(one, shown)
  const expiries = new Map(
    shown.seen.flatMap((other) => madeIn([other]).map((id) => [id, other.expiresAt] as const)),
  )
  const rests = stakes.flatMap(restsOf)
  if (rests.some(({ id }) => !expiries.has(id))) return Number.POSITIVE_INFINITY
  if (!haveOneEach(stakes, restsOf)) return Number.NEGATIVE_INFINITY
  return Math.max(...rests.map(({ id }) => expiries.get(id) ?? Number.POSITIVE_INFINITY))
}

/** Whether the tokens that the item takes from or joins are as they were when it was built. */
function isUntouched({ action, token, joinedIds = [] }: ReservedItem, { tokens }: Shown): boolean {
  const isThere = (id: string) => tokens.some((held) => held.id === id)
  if (action === 'join') return joinedIds.some(isThere)
  const held = tokens.find(({ id }) => id === token?.id)
  if (!held || !token || held.principal < token.principal) return false
  return action === 'withdraw' || isStaked(held)
}

/** The tokens that may be a stake of the reservation, or the rest of it. */
function openRests(one: Reservation, { tokens, seen }: Shown) {
  const olderIds = new Set(
    seen.flatMap(({ items }) =>
      items.flatMap(({ madeId, rivalIds }) => (madeId && rivalIds?.includes(one.id) === false ? madeId : [])),
    ),
  )
  return (item: ReservedItem): readonly StakedToken[] =>
    possiblyFrom(item, one, tokens).filter(
      ({ id, principal }) => principal <= item.amount && !olderIds.has(id),
    )
}

/**
 * Whether each stake can be assigned a token of its own. Greedy by amount: a token that fits a stake fits larger
 * ones.
 */
function haveOneEach(
  stakes: readonly ReservedItem[],
  restsOf: (item: ReservedItem) => readonly StakedToken[],
): boolean {
  const used = new Set<string>()
  return stakes
    .toSorted((one, other) => compare(one.amount, other.amount))
    .every((item) => {
      const found = restsOf(item).find(({ id }) => !used.has(id))
      if (found) used.add(found.id)
      return found !== undefined
    })
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
