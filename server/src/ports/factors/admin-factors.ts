import type { ActionContext, ActionName, ActionToRecord } from '../stores/agent-actions.ts'
import type { Notice } from '../stores/outbox.ts'

/** An admin's enrolled authenticator app. */
export type AdminFactor = { readonly confirmedAt: number; readonly recoveryCodesLeft: number }

/** A code given as second factor, to be checked. */
export type FactorProof = {
  /** The digest to look up if the code is a recovery code; undefined: it is a code of the app. */
  readonly recoveryDigest: string | undefined
  /** The code's time step, if this secret yields the code around now; otherwise undefined. */
  readonly stepOf: (secret: string) => number | undefined
  /** A stored last step later than this was written while the clock was wrong, and is ignored. */
  readonly newestStep: number
}

/** The action and the mail that are committed with a change. */
export type FactorRecord = ActionContext & { readonly action: ActionName; readonly notice: Notice }

/** A change that requires a fresh proof of the second factor. */
export type ProvenChange = {
  readonly userId: string
  /** Wrong proofs are counted per session and network, so that nobody can use up another's tries. */
  readonly sessionId: string
  readonly networkDigest: string
  readonly proof: FactorProof
  readonly tries: number
  readonly now: number
  /** Recorded when the proof holds, and when it does not. */
  readonly done: FactorRecord
  readonly refused: FactorRecord
}

export type ProvenOutcome = 'done' | 'wrong' | 'not_enrolled'

export type AdminFactors = {
  /** Undefined: no factor is enrolled. */
  find(userId: string): Promise<AdminFactor | undefined>
  /** Whether a sign-in requires the factor, even if its row was lost after enrolment. */
  isEnrolled(userId: string): Promise<boolean>
  /** False: a factor is enrolled already. An unconfirmed secret is replaced. */
  begin(enrolment: {
    readonly userId: string
    readonly secret: string
    readonly record: ActionToRecord
  }): Promise<boolean>
  /** Stores the recovery codes and ends every session of the user, in the same commit. */
  confirm(confirmation: {
    readonly userId: string
    /** Enrolments begun at or before this moment have expired. */
    readonly begunSince: number
    readonly stepOf: FactorProof['stepOf']
    readonly recoveryDigests: readonly string[]
    readonly record: FactorRecord
  }): Promise<'confirmed' | 'wrong' | 'not_begun'>
  remove(change: ProvenChange): Promise<ProvenOutcome>
  /** Replaces all earlier recovery codes in the same commit. */
  renewRecoveryCodes(change: ProvenChange, recoveryDigests: readonly string[]): Promise<ProvenOutcome>
  /** For operators: removes the factor without proof, ends all sessions. False: none was enrolled. */
  reset(userId: string, record: FactorRecord): Promise<boolean>
}
