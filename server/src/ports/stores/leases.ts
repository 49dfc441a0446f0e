/** Who of many instances does what only one may do. */
export type Leases = {
  /** Takes the lease, or prolongs it, by the clock of the store. */
  hold(name: string, forMs: number): Promise<LeaseAnswer>
  /** Gives it back, so that another instance need not wait for its end. */
  release(name: string): Promise<void>
}

export type LeaseAnswer = {
  /** False: another instance holds it. */
  readonly isHeld: boolean
  /** What time it is by the clock of the store. */
  readonly storeNow: number
}
