import type { Command } from '@stakewright/contract'

/** A built transaction, both as commands and as the SDK's JSON. */
export type SimulationRequest = {
  readonly sender: string
  readonly commands: readonly Command[]
  /** The agent that asks; the sandbox limits the coins it lends to each agent. */
  readonly agentId: string
  /** The Sui SDK's own JSON of version 2. */
  readonly transaction: unknown
}

/** The simulated result of executing a transaction now. */
export type Simulation =
  | {
      readonly kind: 'success'
      readonly gas: Gas
      readonly effects: SimulatedEffects
    }
  /** The contract aborts; `name` is the contract's constant for the code, if known. */
  | {
      readonly kind: 'aborted'
      readonly module: string
      readonly code: number
      readonly name: string | undefined
      readonly message: string
      readonly gas: Gas
    }
  /** The transaction fails outside the contract: too little gas, a missing coin, a stale object. */
  | { readonly kind: 'failed'; readonly reason: string; readonly gas: Gas }
  /** The transaction could not be simulated, e.g. because no node answers. */
  | { readonly kind: 'unavailable'; readonly reason: string }

/**
 * Cost in smallest units of the gas coin, storage rebate deducted; a transaction that is executed and fails costs it
 * too. Undefined: the transaction is not executed, or the node does not report it.
 */
type Gas = bigint | undefined

export type SimulatedEffects = {
  /** Balance changes of the sender by coin type; negative: spent. */
  readonly balances: readonly { readonly coinType: string; readonly change: bigint }[]
  /** Counts of staked tokens that the transaction creates, changes and deletes. */
  readonly stakedTokens: { readonly created: number; readonly changed: number; readonly removed: number }
}
