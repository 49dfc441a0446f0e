/** Time is an input: nothing but an adapter asks the system for it. */
export type Clock = {
  /** Milliseconds since 1970, as the wall clock says; it may step back. */
  now(): number
}
