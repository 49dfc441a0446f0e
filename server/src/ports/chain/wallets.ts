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
  /** Uses the challenge up and returns its text; undefined when there is none of this nonce and address in time. */
  redeem(nonce: string, address: string, now: number): Promise<string | undefined>
}

export type WalletSignatures = {
  /** Whether the key of the address has signed the text as a personal message. */
  isSigned(message: string, signature: string, address: string): Promise<boolean>
}
