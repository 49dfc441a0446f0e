import type { ActionRecord, Scope } from './agents.ts'
import type { KeptBuild } from './completed-requests.ts'

/** Built transactions that count against the windows of an agent's policy. Times are milliseconds. */

export type ReservedItem = {
  readonly action: 'stake' | 'unstake' | 'withdraw' | 'join'
  readonly validatorId: string
  readonly amount: bigint
  /** The token it takes from, with its principal at build time; undefined for a stake. */
  readonly token: { readonly id: string; readonly principal: bigint } | undefined
  /** For a join: the tokens merged into `token`. */
  readonly joinedIds?: readonly string[] | undefined
  /** Number of equal stakes built earlier that may still be executed; undefined: not counted, or no stake. */
  readonly alike: number | undefined
  /** For a stake: existing tokens that could be mistaken for its result, which always has a new id. */
  readonly knownIds?: readonly string[] | undefined
  /** For a stake seen on the chain: the token it created. A token proves only one stake of an agent. */
  readonly madeId?: string | undefined
  /**
   * The other reservations that were open when the token `madeId` was seen: one of them may have created it instead.
   * A reservation that is not listed was built later and did not. Undefined: not recorded, so any may have.
   */
  readonly rivalIds?: readonly string[] | undefined
  /** The last epoch in which the chain takes the transaction. Undefined: not recorded by an earlier version. */
  readonly lastEpoch?: number | undefined
}

export type Reservation = {
  readonly id: string
  /** The signed intent's id: SHA-256 of its canonical JSON. */
  readonly intentId: string
  /** When it was built. */
  readonly at: number
  /** The transaction must not be signed after this. */
  readonly expiresAt: number
  readonly epoch: number
  /** The last epoch in which a stake of it can become active. Undefined: not known. */
  readonly activeBy?: number | undefined
  readonly sender: string | undefined
  readonly items: readonly ReservedItem[]
  /** Whether it was seen executed on the chain; stays true whatever happens to the stake later. */
  readonly isSeen: boolean
}

/** Evidence on the chain that a reservation was executed. */
export type Sighting = Pick<Reservation, 'id'> & {
  /** For each item the token it created, or undefined. */
  readonly madeIds: readonly (string | undefined)[]
}

/** Reservations made after a moment, or in an epoch and later ones. */
export type Span = { readonly since: number } | { readonly epoch: number }

/** The part of an agent's reservations to read for its windows. */
export type WindowPart = {
  /** Windows by name. */
  readonly spans: Readonly<Record<string, Span>>
  /** Reservations made after this are returned individually; undefined: none. */
  readonly builtSince: number | undefined
  /** Dates after this are ahead of the clock; undefined: dates are not checked. */
  readonly latest: number | undefined
}

/** Amounts by action. */
export type MovedSums = Readonly<Record<ReservedItem['action'], bigint>>

/** The amounts that reservations use up in an agent's windows, and the builds behind them. */
export type WindowUse = {
  /** Amounts moved within each window. */
  readonly moved: Readonly<Record<string, MovedSums>>
  /** Oldest first. */
  readonly built: readonly Reservation[]
  /** Whether `redate` has to be called: dates are ahead of the clock, or a later date is reached. */
  readonly needsRedating: boolean
  /** The latest date ahead of the clock, which new reservations get as their later date. Undefined: none. */
  readonly laterAt: number | undefined
}

/** An amount moved by these actions since a moment, other than by `without`. */
export type Leaving = {
  readonly since: number
  readonly actions: readonly string[]
  readonly amount: bigint
  /** Reservations made since that moment that are not counted. */
  readonly without: readonly Pick<Reservation, 'id' | 'at' | 'items'>[]
}

/** Selects counting reservations of these senders that the chain has not shown yet. */
type UnseenPart = { readonly spans: readonly Span[]; readonly senders: readonly string[] }

/** An approval to consume, and the states in which it may be consumed. */
export type UsableApproval = {
  readonly id: string
  readonly wishHash: string
  readonly usableIn: readonly ('waiting' | 'approved')[]
}

export type ReserveOutcome =
  | { readonly kind: 'reserved' }
  /** Concurrent reservations have used up the room. */
  | { readonly kind: 'refused' }
  /** The approval was used, was refused or has expired in the meantime. */
  | { readonly kind: 'not_approved' }
  /** The agent's policy has changed in the meantime. */
  | { readonly kind: 'policy_changed'; readonly revision: number | undefined }

export type ReserveTerms = {
  readonly policyRevision: number
  readonly part: WindowPart
  /** When the reservation is made, so that its sums are read together with the part. Undefined: not known yet. */
  readonly at?: number
  /** Undefined: the windows have no room. */
  readonly place: (windowUse: WindowUse) => Reservation | undefined
  /** Kept in the same commit, if the request has an idempotency key. */
  readonly kept?: KeptBuild | undefined
  /** The approval consumed in the same commit; undefined: none is needed. */
  readonly approval?: UsableApproval | undefined
}

export type Reservations = {
  /** Sums the reservations in each window, in time independent of their number. */
  windowUse(agentNo: number, part: WindowPart): Promise<WindowUse>
  /**
   * The date of the reservation with which, counting from the oldest, `amount` has left the window;
   * undefined: less was moved.
   */
  leavesAt(agentNo: number, leaving: Leaving): Promise<number | undefined>
  /** Reservations not seen on the chain yet, oldest first. */
  unseenIn(agentNo: number, part: UnseenPart): Promise<readonly Reservation[]>
  /**
   * Adds the reservation that `place` returns, if the agent's policy revision is unchanged and the approval
   * is usable. A lock per agent serialises this step over all instances; waiting calls of an agent are decided in one
   * commit, in order of arrival.
   */
  reserve(agentNo: number, terms: ReserveTerms): Promise<ReserveOutcome>
  /**
   * Reservations dated after `latest` count as made now, and by their own date again once the clock reaches
   * it: either clock may have been right.
   */
  redate(agentNo: number, latest: number, now: number): Promise<void>
  /** All reservations of one intent, including released ones. */
  ofIntent(
    agentNo: number,
    intentId: string,
  ): Promise<readonly (Reservation & { readonly isReleased: boolean })[]>
  /**
   * Counting reservations of a sender that are not seen on the chain, of all agents; beyond a limit, the
   * newest of each agent first. Changed rows are left out: they must not explain what the chain shows.
   */
  unseen(sender: string): Promise<readonly (Reservation & { readonly agentNo: number })[]>
  /** The agent's reservations seen on the chain that name or created one of these tokens. */
  shown(agentNo: number, tokenIds: readonly string[]): Promise<readonly Reservation[]>
  /** Senders of counting, unseen reservations that expire later; beyond a limit, some of each agent. */
  unseenSenders(expiresAfter: number): Promise<readonly string[]>
  /** Marks reservations as executed, never to be released. Skips those whose token already proves another. */
  markSeen(agentNo: number, sightings: readonly Sighting[]): Promise<void>
  /** Moves the evidence from `fromId` to the equal reservation `toId`. False: one of them has changed. */
  moveSighting(agentNo: number, fromId: string, toId: string): Promise<boolean>
  /** Releases reservations, except those seen on the chain. */
  release(agentNo: number, ids: readonly string[]): Promise<void>
}

/** Reservations as an agent's managers see them. */
export type ManagedReservations = {
  /** Counting reservations, newest first; `after` is the last id of the previous page. */
  list(
    scope: Scope,
    agentId: string,
    page: { readonly after: string | undefined; readonly limit: number },
  ): Promise<
    | { readonly kind: 'listed'; readonly reservations: readonly Reservation[]; readonly isLast: boolean }
    | { readonly kind: 'no_agent' | 'bad_cursor' }
  >
  read(
    scope: Scope,
    agentId: string,
    id: string,
  ): Promise<
    | {
        readonly kind: 'found'
        readonly agentNo: number
        readonly reservation: Reservation
        readonly isReleased: boolean
      }
    | { readonly kind: 'no_agent' | 'no_reservation' }
  >
  /** Releases a reservation and records that in one commit. False: it was released or seen before. */
  release(scope: Scope, agentId: string, id: string, record: ActionRecord): Promise<boolean>
}
