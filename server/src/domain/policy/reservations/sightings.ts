import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem, Sighting } from '#ports/stores/reservations.ts'
import { isStaked, madeSince } from './new-stakes.ts'

/**
 * Which reservations of an agent the chain shows as carried out, with all that they do. What the chain shows settles
 * one: the token that a stake has made shows no other, and a part that is gone from a token was taken once. Of several
 * that are alike the newest counts as carried out, because that counts for longest.
 */

/** What the chain shows of the sender, and which reservations of the agent that has settled before. */
export type Shown = { readonly tokens: readonly StakedToken[]; readonly seen: readonly Reservation[] }

export function sightingsAmong(unseen: readonly Reservation[], { tokens, seen }: Shown): readonly Sighting[] {
  const settled = [...seen]
  return unseen.toSorted(byWeight).flatMap((one) => {
    const madeIds = madeBy(one, { tokens, seen: settled })
    if (!madeIds) return []
    settled.push({ ...one, items: one.items.map((item, at) => ({ ...item, madeId: madeIds[at] })) })
    return [{ id: one.id, madeIds }]
  })
}

/** What does more is told by more. */
const byWeight = (one: Reservation, other: Reservation): number =>
  other.items.length - one.items.length || other.at - one.at || (other.id < one.id ? -1 : 1)

/** For each item the token that shows it, if it is a stake; undefined: not all of it was carried out. */
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

/** Whether the chain shows what the item does to its tokens, and nothing else that does it. */
function isDone(item: ReservedItem, shown: Shown): boolean {
  if (item.action !== 'join') return unexplained(item, shown) >= item.amount
  const { joinedIds = [] } = item
  const isThere = (id: string) => shown.tokens.some((held) => held.id === id)
  return !joinedIds.some(isThere) && !joinedIds.some((id) => isJoinedBy(id, shown.seen))
}

const isJoinedBy = (id: string, seen: readonly Reservation[]): boolean =>
  seen.some(({ items }) => items.some(({ joinedIds }) => joinedIds?.includes(id)))

/** What is gone from the token since the item was built, without what others have taken that were carried out. */
function unexplained({ action, token }: ReservedItem, { tokens, seen }: Shown): bigint {
  if (!token) return 0n
  if (isJoinedBy(token.id, seen)) return 0n
  const held = tokens.find(({ id }) => id === token.id)
  const isLeft = held && (action === 'withdraw' || isStaked(held))
  const others = seen
    .flatMap(({ items }) => items)
    .filter((other) => other.action === action && other.token?.id === token.id)
    // What was taken before it was built is not part of what it was then.
    .filter((other) => (other.token?.principal ?? 0n) <= token.principal)
  const explained = others.reduce((sum, { amount }) => sum + amount, 0n)
  return token.principal - (isLeft ? held.principal : 0n) - explained
}

/**
 * Whether nothing of the reservation was ever carried out. All items of a transaction are carried out or none, but others
 * may have changed since what one of them did. In doubt it counts as carried out: a smaller stake may be what is left of
 * the one that was made, a smaller token what is left after a part was taken, and a stake that was taken for another just
 * like it may be from this one while the other can still come: that is, if it has not expired before `settled`.
 */
export const isUnused = (reservation: Reservation, shown: Shown, settled: number): boolean =>
  doubtEnds(reservation, shown) <= settled

/** The expiry of the last of the others that make it doubtful; if there is none, always, and of what was used, never. */
export function doubtEnds({ items, epoch, isSeen }: Reservation, { tokens, seen }: Shown): number {
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

/** Tokens by which it may be told what became of these. */
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
