/** Requests as all instances count them together, before it is known who sends them. */
export type SharedTraffic = {
  /** Counts one request. The requests of one turn of the event loop share one question to the store. */
  hit(address: AddressKey): Promise<TrafficCount>
}

/** An address as limits know it, by a keyed hash. */
export type AddressKey = { readonly low: number; readonly high: number }

export type TrafficCount = {
  /** Of the address in its UTC minute, this request included. */
  readonly ofAddress: number
  readonly minuteEndsAt: number
  /** Of everybody in the trailing minute, this request included; requests above the limit of an address are not. */
  readonly ofAll: number
  /** When it was counted, by the clock of the store. */
  readonly now: number
}
