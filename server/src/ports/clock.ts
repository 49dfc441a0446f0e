/** Time is an input: only adapters read the system clock. */
export type Clock = {
  /** Milliseconds since 1970 by the wall clock, which may step back. */
  now(): number
  /**
   * Instances that share a store go by the store's clock. A caller that has read the store's time passes it
   * here and uses the returned time. Absent: this clock needs no correction.
   */
  follow?(storeNow: number): number
}
