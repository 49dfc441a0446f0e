/** Requests counted over all instances, before authentication. */
export type TrafficCounters = {
  /**
   * Counts requests of several addresses at once. Those above an address's limit are not in the total. Without
   * hits it only reads the total.
   */
  count(hits: readonly AddressHits[]): Promise<TrafficCount>
}

/** A keyed hash of an address. */
export type AddressKey = { readonly low: number; readonly high: number }

export type AddressHits = AddressKey & { readonly hits: number }

export type TrafficCount = {
  /** Requests of each address in the current UTC minute, new ones included, in the order given. */
  readonly ofAddresses: readonly number[]
  /** Requests of all addresses in the trailing minute, new ones not included. */
  readonly before: number
  readonly minuteEndsAt: number
  /** The time of counting, by the store's clock. */
  readonly now: number
}
