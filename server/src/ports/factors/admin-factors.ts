import type { ActionContext, ActionName } from '../stores/agent-actions.ts'
import type { Notice } from '../stores/agents.ts'

/** The authenticator app of an admin. */
export type AdminFactor = { readonly confirmedAt: number; readonly recoveryCodesLeft: number }

/** A code that is to prove the second factor. */
export type FactorProof = {
  /** What a recovery code would be stored as; undefined: it is a code of the app. */
  readonly recoveryDigest: string | undefined
  /** The time step that the code belongs to, if the secret makes it around now. */
  readonly stepOf: (secret: string) => number | undefined
  /** A later step than this was used under a clock that was wrong, and is forgotten. */
  readonly newestStep: number
}

/** What is recorded and mailed with a change, in its commit. */
export type FactorRecord = ActionContext & { readonly action: ActionName; readonly notice: Notice }

/** A change that takes a fresh proof of the factor. */
export type ProvenChange = {
  readonly userId: string
  /** Wrong tries count for the session and the network they come from: nobody else's are fewer for it. */
  readonly sessionId: string
  readonly networkDigest: string
  readonly proof: FactorProof
  readonly tries: number
  readonly now: number
  /** Recorded once the proof holds, and if it does not. */
  readonly done: FactorRecord
  readonly refused: FactorRecord
}

export type ProvenOutcome = 'done' | 'wrong' | 'not enrolled'

export type AdminFactors = {
  /** Undefined: none is enrolled. */
  find(userId: string): Promise<AdminFactor | undefined>
  /** Whether a sign-in takes the factor; also where it was enrolled and the store has lost it. */
  isEnrolled(userId: string): Promise<boolean>
  /** False: one is enrolled already. A secret that was not confirmed is replaced. */
  begin(enrolment: {
    readonly userId: string
    readonly secret: string
    readonly now: number
  }): Promise<boolean>
  /** Stores the recovery codes and ends every session of the user, in the same commit. */
  confirm(confirmation: {
    readonly userId: string
    /** Secrets that were begun before this are over. */
    readonly begunSince: number
    readonly stepOf: FactorProof['stepOf']
    readonly recoveryDigests: readonly string[]
    readonly record: FactorRecord
  }): Promise<'confirmed' | 'wrong' | 'not begun'>
  remove(change: ProvenChange): Promise<ProvenOutcome>
  /** The codes of before are gone in the same commit. */
  renewRecoveryCodes(change: ProvenChange, recoveryDigests: readonly string[]): Promise<ProvenOutcome>
  /** Without a proof, for operators. Ends every session of the user. False: there was none. */
  reset(userId: string, record: FactorRecord): Promise<boolean>
}
