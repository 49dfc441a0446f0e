import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import { CLOCK_STEP_MS } from '../../durations.ts'
import { LIFETIME_MS } from '../staking/transactions/build-transaction.ts'
import { isJoined } from './reservations/joins.ts'
import { isStaked, madeSince, newOnes, untouchedBy } from './reservations/new-stakes.ts'
import type { Wish } from './wish.ts'

/** What was signed in time may reach the chain, and the node that is read, so much after it has expired. */
export const SETTLING_MS = CLOCK_STEP_MS

/** Reservations made longer ago than this are carried out or never will be. */
export const UNSETTLED_MS = LIFETIME_MS + SETTLING_MS

/** A transaction that was built and that the chain does not show: it may be carried out as a whole, or not at all. */
export type Unseen = {
  /** By validator: what it adds to the sender's stake, or takes from it. */
  readonly changes: ReadonlyMap<string, bigint>
  /** From then on it cannot be carried out any more. */
  readonly settledAt: number
}

type Look = {
  readonly built: readonly Reservation[]
  readonly tokens: readonly StakedToken[]
  readonly now: number
}

/** What may still become of the sender's stake beside the wish. In doubt a transaction is taken as not carried out. */
export function unseenBuilds({ sender, items }: Wish, look: Look): readonly Unseen[] {
  const { tokens } = look
  const wished = (id: string) =>
    items.reduce(
      (sum, { action, token, amount }) => (token?.id === id && action !== 'join' ? sum + amount : sum),
      0n,
    )
  const held = new Map(tokens.filter(isStaked).map((token) => [token.id, token.principal]))
  // Of two that take the same, one is carried out: nothing to look at beside the wish.
  const isBesideWish = ({ action, token, amount }: ReservedItem) =>
    !token ||
    action === 'join' ||
    wished(token.id) === 0n ||
    amount + wished(token.id) <= (held.get(token.id) ?? 0n)
  return openOnes(sender, look)
    .filter((one) => one.items.every(isBesideWish))
    .map((one) => ({
      changes: changesOf(one.items, held),
      settledAt: one.expiresAt + SETTLING_MS,
    }))
}

function changesOf(items: readonly ReservedItem[], held: ReadonlyMap<string, bigint>) {
  const changes = new Map<string, bigint>()
  for (const { action, validatorId, amount, token } of items) {
    if (action === 'join') continue
    // What was asked back before counts as staked no more.
    if (token && !held.has(token.id)) continue
    changes.set(validatorId, (changes.get(validatorId) ?? 0n) + (token ? -amount : amount))
  }
  return changes
}

/** Reservations of the sender that can still be carried out and that the chain does not show. */
function openOnes(sender: string | undefined, { built, tokens, now }: Look): readonly Reservation[] {
  const inTime = built
    .filter((one) => one.sender === undefined || one.sender === sender)
    .filter(({ expiresAt }) => expiresAt + SETTLING_MS > now)
  const left = shownBy(inTime, tokens, untouchedBy(built, tokens))
  // The large ones first: where several would explain what is shown, small ones are left, and those are freer.
  const isOpen = new Set(inTime)
  for (const one of inTime.toSorted((a, b) => b.items.length - a.items.length || compare(b, a)))
    if (takeAll(one.items, left)) isOpen.delete(one)
  return inTime.filter((one) => isOpen.has(one))
}

const compare = (a: Reservation, b: Reservation): number => {
  const sum = ({ items }: Reservation) => items.reduce((total, { amount }) => total + amount, 0n)
  return sum(a) < sum(b) ? -1 : 1
}

const kindOf = ({ action, token, validatorId, amount, joinedIds }: ReservedItem): string => {
  if (action === 'join') return `join ${joinedIds?.join(' ')}`
  return token ? `take ${token.id}` : `stake ${validatorId} ${amount}`
}

/** What one item uses up of what is shown of its kind: a stake, or an amount that was taken. */
const weightOf = ({ action, token, amount }: ReservedItem): bigint =>
  token && action !== 'join' ? amount : 1n

/** How much of each kind the chain shows as carried out since the first of these was built. */
function shownBy(
  inTime: readonly Reservation[],
  tokens: readonly StakedToken[],
  untouched: readonly StakedToken[],
): Map<string, bigint> {
  const shown = new Map<string, bigint>()
  for (const { items, epoch } of inTime)
    for (const item of items) {
      if (shown.has(kindOf(item))) continue
      shown.set(kindOf(item), item.token ? takenFrom(item, tokens) : stakedBy(item, epoch, untouched))
    }
  return shown
}

const stakedBy = (item: ReservedItem, epoch: number, tokens: readonly StakedToken[]): bigint =>
  item.alike === undefined ? 0n : BigInt(newOnes(item, epoch, tokens) - item.alike)

function takenFrom(item: ReservedItem, tokens: readonly StakedToken[]): bigint {
  const { action, token } = item
  if (!token) return 0n
  if (action === 'join') return isJoined(item, tokens) ? EVERYTHING : 0n
  const held = tokens.find(({ id }) => id === token.id)
  // Gone or asked back: none of these can be carried out any more.
  const isGone = !held || (action === 'unstake' && !isStaked(held))
  return isGone ? EVERYTHING : token.principal - held.principal
}

/** More than any amount of the chain. */
const EVERYTHING = 1n << 128n

/** Uses up what is shown for all items, if there is enough for all of them. */
function takeAll(items: readonly ReservedItem[], left: Map<string, bigint>): boolean {
  const needed = new Map<string, bigint>()
  for (const item of items) needed.set(kindOf(item), (needed.get(kindOf(item)) ?? 0n) + weightOf(item))
  if ([...needed].some(([kind, weight]) => (left.get(kind) ?? 0n) < weight)) return false
  for (const [kind, weight] of needed) left.set(kind, (left.get(kind) ?? 0n) - weight)
  return true
}

/** More are not remembered: such a stake counts as one that may still come until it cannot. */
const MOST_KNOWN = 50

/**
 * What a stake is told by once it is carried out: it is none of the tokens that are there, which a join or the taking of
 * a part can make look like it, and none of the stakes just like it that were built before and may come any moment.
 */
export function marksOf(
  stake: Pick<ReservedItem, 'validatorId' | 'amount'>,
  { sender, epoch, ...look }: Look & { readonly sender: string | undefined; readonly epoch: number },
): Pick<ReservedItem, 'alike' | 'knownIds'> {
  const isLike = ({ token, validatorId, amount }: ReservedItem) =>
    token === undefined && validatorId === stake.validatorId && amount === stake.amount
  const coming = openOnes(sender, look).flatMap(({ items }) => items.filter(isLike))
  const knownIds = madeSince(stake, epoch, look.tokens).map(({ id }) => id)
  if (knownIds.length > MOST_KNOWN) return { alike: undefined }
  return { alike: coming.length, knownIds }
}
