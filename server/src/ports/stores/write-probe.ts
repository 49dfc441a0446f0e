/** Checks whether the store accepts writes. */
export type WriteProbe = {
  /** Rejects when a write fails. */
  check(): Promise<void>
}
