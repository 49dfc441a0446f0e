import type { NewSession } from '../stores/sessions.ts'

/** Proof of control over an address on the chain. */

/** Challenges for wallets to sign. Each can be used at most once. */
export type WalletChallenges = {
  issue(challenge: {
    readonly nonce: string
    readonly address: string
    readonly message: string
    /** The challenge is refused from this moment on. */
    readonly expiresAt: number
    readonly now: number
  }): Promise<void>
  /** The text of a usable challenge; undefined: none with this nonce and address, or expired. */
  read(nonce: string, address: string, now: number): Promise<string | undefined>
  /** Consumes the challenge, and begins the session in the same commit. False: it is used or expired. */
  redeem(challenge: RedeemedChallenge, begins?: NewSession): Promise<boolean>
}

/** A challenge at the moment of its use. */
export type RedeemedChallenge = { readonly nonce: string; readonly address: string; readonly now: number }

export type SignedText = { readonly message: string; readonly signature: string; readonly address: string }

/**
 * zkLogin signatures, made with an account at an OpenID provider. Only full nodes can verify them, because
 * they know the providers' keys and the current epoch.
 */
export type ZkLogins = {
  /** Throws when no node answers. `not_offered`: the nodes do not verify signatures. */
  check(signed: SignedText, deadline: AbortSignal): Promise<'signed' | 'not_signed' | 'not_offered'>
}

export type WalletSignatures = {
  /** Whether the address's key has signed the text as a personal message. */
  isSigned(message: string, signature: string, address: string): Promise<boolean>
}
