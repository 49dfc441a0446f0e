/** Proof that somebody holds the key of an address on the chain. */

/** Texts that wallets were asked to sign. Each is used once at most. */
export type WalletChallenges = {
  issue(challenge: {
    readonly nonce: string
    readonly address: string
    readonly message: string
    /** From this moment on it is refused. */
    readonly expiresAt: number
    readonly now: number
  }): Promise<void>
  /** The text of a challenge that can still be used; undefined when there is none of this nonce and address in time. */
  read(nonce: string, address: string, now: number): Promise<string | undefined>
  /** Uses the challenge up and returns its text; undefined when there is none of this nonce and address in time. */
  redeem(nonce: string, address: string, now: number): Promise<string | undefined>
}

export type SignedText = { readonly message: string; readonly signature: string; readonly address: string }

/**
 * Signatures by zkLogin: whoever holds an account with a provider signs. Only full nodes can check them, because they
 * know the providers' keys and the epoch.
 */
export type ZkLogins = {
  /** Throws when no node can be asked now. `not offered`: the nodes do not check signatures. */
  check(signed: SignedText, deadline: AbortSignal): Promise<'signed' | 'not signed' | 'not offered'>
}

export type WalletSignatures = {
  /** Whether the key of the address has signed the text as a personal message. */
  isSigned(message: string, signature: string, address: string): Promise<boolean>
}
