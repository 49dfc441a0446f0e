/** Time is an input: nothing but an adapter asks the system for it. */
export type Clock = {
  /** Milliseconds since 1970, as the wall clock says; it may step back. */
  now(): number
  /**
   * Many instances go by one clock, that of the store they share. Whoever hears from the store what time it is says
   * so here, and gets the time that counts. A clock without it is right by itself.
   */
  follow?(storeNow: number): number
}
