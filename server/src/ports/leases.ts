/** Who of many instances does what only one may do. */
export type Leases = {
  /** Takes the lease, or prolongs it, by the clock of the store. False: another instance holds it. */
  hold(name: string, forMs: number): Promise<boolean>
  /** Gives it back, so that another instance need not wait for its end. */
  release(name: string): Promise<void>
}
