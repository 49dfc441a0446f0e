import type { Command } from './staking-chain.ts'

/** Result of running commands in the sandbox, or the contract's own abort. An abort changes nothing. */
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

/** The agent that calls, and the digest of its network. */
type SandboxCaller = { readonly agentId: string; readonly networkId: string }

/** Terms that a transaction was built with. */
type Terms = {
  /** Makes otherwise equal transactions differ. A transaction with a nonce is executed once. */
  readonly nonce?: string | undefined
  /** The caller, whose limits apply, and to whom new staked tokens belong. Undefined: no limits. */
  readonly by?: SandboxCaller | undefined
  /** The last epoch in which the transaction may be executed; undefined: it never expires. */
  readonly lastEpoch?: number | undefined
}

/** The parts of the simulated chain that a real one does not have: running commands, and moving time. */
export type Sandbox = {
  /** A transaction with a nonce is executed once: a repeat changes nothing and has the result of the first. */
  execute(sender: string, commands: readonly Command[], terms?: Terms): Promise<ExecutionResult>
  /** Ends the current epoch and `epochs` − 1 more, within the caller's hourly limits. Returns the new epoch. */
  advance(epochs: number, caller?: SandboxCaller): Promise<number>
}

/** Storage of the sandbox's state: one text, replaced as a whole. */
export type SandboxStates = {
  /** The version of the stored state. The state is large: a caller that has this version need not load it. */
  version(): Promise<number | undefined>
  load(): Promise<{ readonly version: number; readonly state: string } | undefined>
  /** False: another instance has written `version` + 1 first; load and retry. */
  replace(version: number, state: string): Promise<boolean>
}
