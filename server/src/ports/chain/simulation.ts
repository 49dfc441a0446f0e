import type { Command } from '@stakewright/contract'

/** A built transaction, in both of its forms. */
export type SimulationRequest = {
  readonly sender: string
  readonly commands: readonly Command[]
  /** Whose key asks: the sandbox lends each agent so many coins. */
  readonly agentId: string
  /** The Sui SDK's own JSON of version 2. */
  readonly transaction: unknown
}

/** What a transaction would do if it were executed now. */
export type Simulation =
  | {
      readonly kind: 'success'
      /** In the smallest unit of the coin that pays it, what is given back deducted. */
      readonly gas: bigint
      readonly effects: SimulatedEffects
    }
  /** The contract refuses; `name` is its own word for the code, where it is known. */
  | {
      readonly kind: 'aborted'
      readonly module: string
      readonly code: number
      readonly name: string | undefined
      readonly message: string
    }
  /** Something else than the contract refuses: too little gas, no such coin, a stale object. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Nobody could tell. */
  | { readonly kind: 'unavailable'; readonly reason: string }

export type SimulatedEffects = {
  /** What the sender gains or, below zero, spends, by coin type. */
  readonly balances: readonly { readonly coinType: string; readonly change: bigint }[]
  /** How many staked tokens it makes, changes and uses up. */
  readonly stakedTokens: { readonly created: number; readonly changed: number; readonly removed: number }
}
