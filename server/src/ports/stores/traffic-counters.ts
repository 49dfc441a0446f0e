/** Requests as all instances count them together, before it is known who sends them. */
export type TrafficCounters = {
  /** Counts the requests of some addresses in one step; those above the limit of their address are not in the sum. */
  count(hits: readonly AddressHits[]): Promise<TrafficCount>
}

/** An address as limits know it, by a keyed hash. */
export type AddressKey = { readonly low: number; readonly high: number }

export type AddressHits = AddressKey & { readonly hits: number }

export type TrafficCount = {
  /** Of each address in the present UTC minute, in the order asked for, the new ones included. */
  readonly ofAddresses: readonly number[]
  /** Of everybody in the trailing minute, the new ones not included. */
  readonly before: number
  readonly minuteEndsAt: number
  /** When they were counted, by the clock of the store. */
  readonly now: number
}
