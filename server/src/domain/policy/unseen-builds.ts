import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import { CLOCK_STEP_MS } from '../../durations.ts'
import { LIFETIME_MS } from '../staking/transactions/expiry.ts'
import { isStaked, madeSince, newOnes, untouchedBy } from './reservations/new-stakes.ts'
import { cannotCome, isTaken } from './reservations/shown-effects.ts'
import { excludeEachOther } from './reservations/token-uses.ts'
import type { Wish } from './wish.ts'

/** What was signed in time may reach the chain, and the node that is read, so much after it has expired. */
export const SETTLING_MS = CLOCK_STEP_MS

/** Reservations made longer ago than this are carried out or never will be. */
export const UNSETTLED_MS = LIFETIME_MS + SETTLING_MS

/** A transaction that was built and that the chain does not show: it may be carried out as a whole, or not at all. */
export type Unseen = {
  /** By validator: what it adds to the sender's stake, or takes from it. */
  readonly changes: ReadonlyMap<string, bigint>
  /** The validators that it stakes with. */
  readonly receiving: ReadonlySet<string>
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
  const held = new Map(look.tokens.filter(isStaked).map((token) => [token.id, token.principal]))
  return openOnes(sender, look)
    .filter((one) => !excludeEachOther(items, one.items))
    .map((one) => ({
      changes: changesOf(one.items, held),
      receiving: receivedBy(one.items),
      settledAt: one.expiresAt + SETTLING_MS,
    }))
}

/** The validators that these stake with. */
export const receivedBy = (
  items: readonly Pick<ReservedItem, 'action' | 'validatorId'>[],
): ReadonlySet<string> =>
  new Set(items.flatMap(({ action, validatorId }) => (action === 'stake' ? [validatorId] : [])))

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
  const left = stakesShown(inTime, untouchedBy(built, tokens))
  // The large ones first: where several would explain what is shown, small ones are left, and those are freer.
  const isOpen = new Set(inTime)
  for (const one of inTime.toSorted((a, b) => b.items.length - a.items.length || compare(b, a))) {
    const takes = one.items.filter(({ token }) => token !== undefined)
    const isCertain = takes.length > 0 && (one.isSeen || cannotCome(one, tokens))
    const isLikely = takes.every((item) => isTaken(item, tokens))
    if (isCertain || (isLikely && isEnough(one.items, left))) {
      isOpen.delete(one)
      useUp(one.items, left)
    }
  }
  return inTime.filter((one) => isOpen.has(one))
}

const compare = (a: Reservation, b: Reservation): number => {
  const sum = ({ items }: Reservation) => items.reduce((total, { amount }) => total + amount, 0n)
  return sum(a) < sum(b) ? -1 : 1
}

const kindOf = ({ validatorId, amount }: ReservedItem): string => `${validatorId} ${amount}`

const stakesIn = (items: readonly ReservedItem[]): readonly ReservedItem[] =>
  items.filter(({ token }) => token === undefined)

/** How many stakes of each kind the chain shows as made since the first of these was built. */
function stakesShown(inTime: readonly Reservation[], untouched: readonly StakedToken[]): Map<string, number> {
  const shown = new Map<string, number>()
  for (const { items, epoch } of inTime)
    for (const item of stakesIn(items)) {
      if (shown.has(kindOf(item))) continue
      shown.set(kindOf(item), item.alike === undefined ? 0 : newOnes(item, epoch, untouched) - item.alike)
    }
  return shown
}

/** Whether there are enough stakes for all items. */
function isEnough(items: readonly ReservedItem[], left: ReadonlyMap<string, number>): boolean {
  const needed = new Map<string, number>()
  for (const item of stakesIn(items)) needed.set(kindOf(item), (needed.get(kindOf(item)) ?? 0) + 1)
  return [...needed].every(([kind, count]) => (left.get(kind) ?? 0) >= count)
}

function useUp(items: readonly ReservedItem[], left: Map<string, number>): void {
  for (const item of stakesIn(items)) left.set(kindOf(item), (left.get(kindOf(item)) ?? 0) - 1)
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
