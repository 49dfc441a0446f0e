import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import { CLOCK_STEP_MS } from '../../durations.ts'
import { compare } from '../compare.ts'
import { LIFETIME_MS } from '../staking/transactions/expiry.ts'
import {
  countNewStakes,
  indexTokens,
  isStaked,
  kindOf,
  type TokenIndex,
  withoutTokensOf,
} from './reservations/new-stakes.ts'
import { cannotExecute, isTaken } from './reservations/shown-effects.ts'
import { excludes, runsOnce } from './reservations/token-uses.ts'
import type { Wish } from './wish.ts'

/** How long after its expiry a transaction signed in time may still appear on the node that is read. */
export const SETTLING_MS = CLOCK_STEP_MS

/** Older reservations were executed or never will be. */
export const UNSETTLED_MS = LIFETIME_MS + SETTLING_MS

/** A built transaction that the chain does not show. It may still be executed, as a whole or not at all. */
export type Unseen = {
  /** By validator: what it adds to the sender's stake, or takes from it. */
  readonly changes: ReadonlyMap<string, bigint>
  readonly items: readonly ReservedItem[]
  /** The validators that it stakes with. */
  readonly receiving: ReadonlySet<string>
  /** From this time on it can no longer be executed. */
  readonly settlesAt: number
}

type Basis = {
  readonly built: readonly Reservation[]
  readonly tokens: readonly StakedToken[]
  readonly now: number
}

/**
 * Pending transactions that may change the sender's stake in addition to the wish. In doubt a build counts as
 * pending.
 */
export function unseenBuilds({ sender, items }: Wish, basis: Basis): readonly Unseen[] {
  const isExcluded = excludes(items)
  return pendingOf(sender, basis).filter((one) => !isExcluded(one.items))
}

type Pending = Omit<Basis, 'built'> & {
  readonly sender: string | undefined
  readonly unseen: readonly Unseen[]
}

/** Several rules need the same builds, so the last result is cached for each list of builds. */
const lastPending = new WeakMap<readonly Reservation[], Pending>()

function pendingOf(sender: string | undefined, basis: Basis): readonly Unseen[] {
  const { built, tokens, now } = basis
  const last = lastPending.get(built)
  if (last && last.sender === sender && last.tokens === tokens && last.now === now) return last.unseen
  const held = new Map(tokens.filter(isStaked).map((token) => [token.id, token.principal]))
  const unseen = withoutRepeats(openReservations(sender, basis)).map((one) => ({
    items: one.items,
    changes: changesOf(one.items, held),
    receiving: receivedBy(one.items),
    settlesAt: one.expiresAt + SETTLING_MS,
  }))
  lastPending.set(built, { tokens, now, sender, unseen })
  return unseen
}

/** Deduplicates equal transactions of which the chain executes only one: keeps the one that expires last. */
function withoutRepeats(open: readonly Reservation[]): readonly Reservation[] {
  const kinds = new Map<string, Reservation>()
  for (const one of open.toSorted((a, b) => a.expiresAt - b.expiresAt)) {
    kinds.set(runsOnce(one.items) ? one.items.map(useOf).join() : one.id, one)
  }
  return [...kinds.values()]
}

const useOf = ({ action, token, joinedIds = [], validatorId, amount }: ReservedItem): string =>
  [action, validatorId, amount, token?.id, token?.principal, ...joinedIds].join(' ')

/** The validators that receive stake. */
export const receivedBy = (
  items: readonly Pick<ReservedItem, 'action' | 'validatorId'>[],
): ReadonlySet<string> =>
  new Set(items.flatMap(({ action, validatorId }) => (action === 'stake' ? [validatorId] : [])))

function changesOf(items: readonly ReservedItem[], held: ReadonlyMap<string, bigint>) {
  const changes = new Map<string, bigint>()
  for (const { action, validatorId, amount, token } of items) {
    if (action === 'join') continue
    // An unstaked token no longer counts as stake.
    if (token && !held.has(token.id)) continue
    changes.set(validatorId, (changes.get(validatorId) ?? 0n) + (token ? -amount : amount))
  }
  return changes
}

/** Reservations of the sender that can still be executed and that the chain does not show. */
function openReservations(sender: string | undefined, { built, tokens, now }: Basis): readonly Reservation[] {
  const inTime = built
    .filter((one) => one.sender === undefined || one.sender === sender)
    .filter(({ expiresAt }) => expiresAt + SETTLING_MS > now)
  const left = countShownStakes(inTime, indexTokens(withoutTokensOf(built, tokens)))
  const index = indexTokens(tokens)
  const isOpen = new Set(inTime)
  for (const one of largestFirst(inTime)) {
    const takes = one.items.filter(({ token }) => token !== undefined)
    const isCertain = (one.isSeen && isUnmistakable(one)) || (takes.length > 0 && cannotExecute(one, index))
    const isLikely = takes.every((item) => isTaken(item, index))
    if (isCertain || (isLikely && isEnough(one.items, left))) {
      isOpen.delete(one)
      useUp(one.items, left)
    }
  }
  return inTime.filter((one) => isOpen.has(one))
}

/**
 * Whether the effects seen cannot come from an earlier build with the same stakes. A later build expires later, so
 * nothing is lost if it counts as open instead of this one.
 */
const isUnmistakable = ({ items }: Reservation): boolean =>
  items.some(({ token }) => token !== undefined) || items.every(({ alike }) => alike === 0)

/** Large reservations first: if several could explain the same tokens, the small ones stay open. */
function largestFirst(reservations: readonly Reservation[]): readonly Reservation[] {
  const sized = reservations.map((one) => ({
    one,
    amount: one.items.reduce((total, { amount }) => total + amount, 0n),
  }))
  return sized
    .toSorted((a, b) => b.one.items.length - a.one.items.length || compare(b.amount, a.amount))
    .map(({ one }) => one)
}

const stakesIn = (items: readonly ReservedItem[]): readonly ReservedItem[] =>
  items.filter(({ token }) => token === undefined)

/** The number of stakes that the chain shows since the first of these reservations, by validator and amount. */
function countShownStakes(inTime: readonly Reservation[], untouched: TokenIndex): Map<string, number> {
  const shown = new Map<string, number>()
  for (const { items, epoch } of inTime)
    for (const item of stakesIn(items)) {
      if (shown.has(kindOf(item))) continue
      shown.set(
        kindOf(item),
        item.alike === undefined ? 0 : countNewStakes(item, epoch, untouched) - item.alike,
      )
    }
  return shown
}

/** Whether enough shown stakes are left to explain all items. */
function isEnough(items: readonly ReservedItem[], left: ReadonlyMap<string, number>): boolean {
  const needed = new Map<string, number>()
  for (const item of stakesIn(items)) needed.set(kindOf(item), (needed.get(kindOf(item)) ?? 0) + 1)
  return [...needed].every(([kind, count]) => (left.get(kind) ?? 0) >= count)
}

function useUp(items: readonly ReservedItem[], left: Map<string, number>): void {
  for (const item of stakesIn(items)) left.set(kindOf(item), (left.get(kindOf(item)) ?? 0) - 1)
}

/** If there are more known tokens, none is stored, and the stake counts as pending until it expires. */
const MAX_KNOWN = 50

type Recognition = Pick<ReservedItem, 'alike' | 'knownIds'>

/**
 * The data by which the token of a stake is recognised later. `knownIds`: existing tokens, which a join or a partial
 * unstake may make look like it. `alike`: the number of equal earlier stakes that may still be executed. The earlier
 * builds are gone through once for all stakes of a transaction.
 */
export function recognitionOf({
  sender,
  epoch,
  ...basis
}: Basis & { readonly sender: string | undefined; readonly epoch: number }): (
  stake: Pick<ReservedItem, 'validatorId' | 'amount'>,
) => Recognition {
  const coming = new Map<string, number>()
  for (const { items } of openReservations(sender, basis))
    for (const item of stakesIn(items)) coming.set(kindOf(item), (coming.get(kindOf(item)) ?? 0) + 1)
  const knownTo = knownOf({ epoch, tokens: basis.tokens })
  return (stake) => {
    const known = knownTo(stake)
    return known.knownIds ? { alike: coming.get(kindOf(stake)) ?? 0, ...known } : { alike: undefined }
  }
}

/** The tokens with the validator of a stake that exist before it is made. */
export function knownOf({
  epoch,
  tokens,
}: Pick<Basis, 'tokens'> & { readonly epoch: number }): (
  stake: Pick<ReservedItem, 'validatorId'>,
) => Pick<Recognition, 'knownIds'> {
  const made = Map.groupBy(
    tokens.filter(({ activationEpoch }) => activationEpoch > epoch),
    ({ validatorId }) => validatorId,
  )
  return ({ validatorId }) => {
    const known = made.get(validatorId) ?? []
    return known.length > MAX_KNOWN ? {} : { knownIds: known.map(({ id }) => id) }
  }
}
