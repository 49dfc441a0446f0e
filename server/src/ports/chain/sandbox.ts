import type { Command } from './staking-chain.ts'

/** What running commands in the sandbox did, or the contract's own refusal. Nothing changes on an abort. */
export type ExecutionResult =
  | {
      readonly kind: 'done'
      readonly epoch: number
      readonly created: readonly {
        readonly id: string
        readonly validatorId: string
        readonly principal: bigint
        readonly activationEpoch: number
      }[]
      readonly changed: readonly { readonly id: string; readonly withdrawEpoch: number | undefined }[]
      /** Tokens that no longer exist. */
      readonly consumed: readonly string[]
      readonly coinsPaidOut: bigint
    }
  | {
      readonly kind: 'aborted'
      /** The module and code the real contract aborts with, e.g. `validator` 11. */
      readonly module: string
      readonly code: number
      readonly name: string
      readonly message: string
    }

/** The parts of the simulated chain that a real one does not have: running commands, and moving time. */
export type Sandbox = {
  /** With the id of an agent, within what is lent to it. */
  execute(sender: string, commands: readonly Command[], agentId?: string): Promise<ExecutionResult>
  /** Completes the present epoch and `epochs` − 1 more, within what the agent may move. Returns the new epoch. */
  advance(epochs: number, agentId?: string): Promise<number>
}

/** Where the simulated chain keeps its state: one text, replaced whole. */
export type SandboxStates = {
  /** Of the text, which is large: who knows this version already need not load it. */
  version(): Promise<number | undefined>
  load(): Promise<{ readonly version: number; readonly state: string } | undefined>
  /** False when another instance has written `version` + 1 first: load and try again. */
  replace(version: number, state: string): Promise<boolean>
}
