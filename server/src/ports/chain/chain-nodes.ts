/** A full node that the chain is read from, as its breaker sees it. */
export type NodeState = {
  readonly host: string
  /** False: it failed, and is left alone for a while. */
  readonly isReady: boolean
  readonly failures: number
  readonly waitMs: number
}

/** The nodes behind a chain; none behind a simulated one. */
export type ChainNodes = { states(): readonly NodeState[] }
