import type { ActionRecord, Scope } from './agents.ts'
import type { KeptBuild } from './done-requests.ts'

/** Transactions that were built for an agent and count against the windows of its policy. Times are milliseconds. */

export type ReservedItem = {
  readonly action: 'stake' | 'unstake' | 'withdraw' | 'join'
  readonly validatorId: string
  readonly amount: bigint
  /** The token it takes from, and its principal when it was built; undefined for a stake. */
  readonly token: { readonly id: string; readonly principal: bigint } | undefined
  /** Of a join: the tokens that end; `token` stays. */
  readonly joinedIds?: readonly string[] | undefined
  /** How many stakes just like it may come of what was built before; undefined: not looked at, or no stake. */
  readonly alike: number | undefined
  /** Of a stake: tokens that may come to look like it, and are not. What a stake makes has an id of its own. */
  readonly knownIds?: readonly string[] | undefined
  /** Of a stake that the chain has shown: the token by which it has. A token shows one stake of an agent. */
  readonly madeId?: string | undefined
}

export type Reservation = {
  readonly id: string
  /** What the transaction is for. Intents that are alike in all, down to the moment, are the same. */
  readonly intentId: string
  /** When it was built. */
  readonly at: number
  /** The transaction is not to be signed after this. */
  readonly expiresAt: number
  readonly epoch: number
  readonly sender: string | undefined
  readonly items: readonly ReservedItem[]
  /** Whether the chain has shown it as carried out. That holds for good, whatever becomes of the stake. */
  readonly isSeen: boolean
}

/** The chain shows that a reservation was carried out. */
export type Sighting = Pick<Reservation, 'id'> & {
  /** For each item, the token that it has made; undefined: none. */
  readonly madeIds: readonly (string | undefined)[]
}

/** Reservations that were made after a moment, or in an epoch and later. */
export type Span = { readonly since: number } | { readonly epoch: number }

/** What of it is to be looked at. */
export type CountedPart = {
  /** Windows, by a name. */
  readonly spans: Readonly<Record<string, Span>>
  /** Those made after this are wanted one by one; undefined: none. */
  readonly builtSince: number | undefined
  /** Dates after this are ahead of the clock; undefined: dates are not looked at. */
  readonly latest: number | undefined
}

/** Amounts by action. */
export type MovedSums = Readonly<Record<ReservedItem['action'], bigint>>

/** What counts for an agent. */
export type Counted = {
  /** What was moved within each of the windows. */
  readonly moved: Readonly<Record<string, MovedSums>>
  /** Oldest first. */
  readonly built: readonly Reservation[]
  /** Whether `dateAnew` has to be called: dates are ahead of the clock, or a later date is reached. */
  readonly isMisdated: boolean
  /** The latest date that is ahead of the clock: what is reserved now has it as its later date. Undefined: none is. */
  readonly laterAt: number | undefined
}

/** So much by these actions, of what was made after a moment. */
export type Leaving = {
  readonly since: number
  readonly actions: readonly string[]
  readonly amount: bigint
}

/** Which of those that count have expired, of these senders. */
export type ExpiredPart = {
  readonly spans: readonly Span[]
  readonly senders: readonly string[]
  readonly expiredBefore: number
}

/** An approval of a wish, and the states in which it may be used up. */
export type UsableApproval = {
  readonly id: string
  readonly wishHash: string
  readonly usableIn: readonly ('waiting' | 'approved')[]
}

export type ReserveOutcome =
  | { readonly kind: 'reserved' }
  /** Others were faster: there is no room any more. */
  | { readonly kind: 'refused' }
  /** The approval was used, refused or has expired meanwhile. */
  | { readonly kind: 'not_approved' }
  /** The agent has another policy by now. */
  | { readonly kind: 'policy_changed'; readonly revision: number | undefined }

export type Reservations = {
  /** What counts for the agent. Takes as long however much was built within the windows. */
  counted(agentNo: number, part: CountedPart): Promise<Counted>
  /** When the reservation was made with which so much has left, the oldest first; undefined: there is less. */
  leavesAt(agentNo: number, leaving: Leaving): Promise<number | undefined>
  /** Those that may be given back: not seen yet. */
  expired(agentNo: number, part: ExpiredPart): Promise<readonly Reservation[]>
  /**
   * Adds the reservation that `place` makes in view of what counts, if the agent's policy is still the given one and
   * the approval can be used. Of all instances one is in this step for an agent at a time.
   */
  reserve(
    agentNo: number,
    terms: {
      readonly policyRevision: number
      readonly part: CountedPart
      /** Undefined: there is no room. */
      readonly place: (counted: Counted) => Reservation | undefined
      /** Kept in the same commit, where the request has a name. */
      readonly kept?: KeptBuild | undefined
      /** The approval that is used up in the same step; undefined: none is needed. */
      readonly approval?: UsableApproval | undefined
    },
  ): Promise<ReserveOutcome>
  /**
   * Reservations that are dated later than `latest` count as made now from here on, and again as they were dated once the
   * clock has come there: nobody can tell which of two clocks was right.
   */
  dateAnew(agentNo: number, latest: number, now: number): Promise<void>
  /** Those of one intent, the free ones too. */
  ofIntent(
    agentNo: number,
    intentId: string,
  ): Promise<readonly (Reservation & { readonly isFree: boolean })[]>
  /** Of a sender, those of all agents that count and were not seen yet; of many, the newest of each agent. */
  unseen(sender: string): Promise<readonly (Reservation & { readonly agentNo: number })[]>
  /** Those of the agent that the chain has shown and that name one of these tokens, or have made one. */
  shown(agentNo: number, tokenIds: readonly string[]): Promise<readonly Reservation[]>
  /** The senders of all that count, were not seen yet and expire later; of many, some of each agent. */
  unseenSenders(expiresAfter: number): Promise<readonly string[]>
  /** The chain has shown them: they are not given back any more. A token that shows another already is left out. */
  markSeen(agentNo: number, sightings: readonly Sighting[]): Promise<void>
  /** What was taken for `fromId` was another, which is just like it. False: one of them has changed meanwhile. */
  moveSighting(agentNo: number, fromId: string, toId: string): Promise<boolean>
  /** From here on they count no more, except those that were seen. */
  free(agentNo: number, ids: readonly string[]): Promise<void>
}

/** The same for who manages the agent. */
export type ManagedReservations = {
  /** What counts, newest first; `after` is the id of the last one of the page before. */
  list(
    scope: Scope,
    agentId: string,
    page: { readonly after: string | undefined; readonly limit: number },
  ): Promise<
    { readonly reservations: readonly Reservation[]; readonly isLast: boolean } | 'no_agent' | 'bad_cursor'
  >
  read(
    scope: Scope,
    agentId: string,
    id: string,
  ): Promise<(Reservation & { readonly isFree: boolean; readonly agentNo: number }) | 'no_agent' | undefined>
  /** From here on it counts no more, which is recorded in the same commit. False: it was freed or seen before. */
  free(scope: Scope, agentId: string, id: string, record: ActionRecord): Promise<boolean>
}
