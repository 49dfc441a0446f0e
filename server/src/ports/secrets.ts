/** Randomness and keyed hashing: the only source of ids and secrets. */
export type Secrets = {
  newAgentId(): string
  /** An id that reveals nothing about the key. */
  newKeyId(): string
  newSessionId(): string
  newReservationId(): string
  newApprovalId(): string
  /** Makes otherwise equal texts differ. */
  newNonce(): string
  /** `<prefix>_`, 40 random base62 characters, 6 of checksum. */
  newApiKey(): string
  /** Checks form and checksum, so that typos are refused without a query. */
  isApiKey(text: string): boolean
  /** Every API key in a text, whatever stands directly before and after it. */
  apiKeysIn(text: string): ReadonlySet<string>
  /** 256 random bits in hex. */
  newToken(): string
  /** 6 random digits. */
  newCode(): string
  /** 100 random bits as four groups of five characters, without letters that look like digits. */
  newLongCode(): string
  /** HMAC-SHA-256 with the pepper, in hex. `purpose` separates the digests' domains. */
  digest(
    purpose:
      | 'key'
      | 'token'
      | 'code'
      | 'address'
      | 'challenge'
      | 'action'
      | 'key record'
      | 'agent record'
      | 'policy record'
      | 'reservation record'
      | 'approval record'
      | 'request',
    secret: string,
  ): string
  /** Authenticated encryption, for texts that must not be stored in the clear. */
  seal(text: string): string
  open(sealed: string): string
}
