/** Leases that decide which instance does the jobs that only one may do. */
export type Leases = {
  /** Acquires or renews the lease, by the store's clock. */
  hold(name: string, forMs: number): Promise<LeaseAnswer>
  /** Releases the lease, so that another instance need not wait for its expiry. */
  release(name: string): Promise<void>
}

type LeaseAnswer = {
  /** False: another instance holds it. */
  readonly isHeld: boolean
  /** The store's current time. */
  readonly storeNow: number
}
