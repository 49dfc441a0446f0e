/** A full node that the chain is read from, as its breaker sees it. */
type NodeState = {
  readonly host: string
  /** False: the breaker lets no call through at this moment. */
  readonly isReady: boolean
  readonly failures: number
  readonly waitMs: number
}

/** The full nodes of a chain; empty for the sandbox. */
export type ChainNodes = { states(): readonly NodeState[] }
