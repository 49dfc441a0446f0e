/** Whether the store takes writes at this moment. */
export type WriteProbe = {
  /** Rejects when it does not. */
  check(): Promise<void>
}
