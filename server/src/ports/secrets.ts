/** Chance and keyed hashing: the only source of ids and secrets. */
export type Secrets = {
  newAgentId(): string
  /** Names a key; tells nothing about it. */
  newKeyId(): string
  newSessionId(): string
  newReservationId(): string
  newApprovalId(): string
  /** Tells apart what would be equal without it. */
  newNonce(): string
  /** `<prefix>_`, 40 random base62 characters, 6 of checksum. */
  newApiKey(): string
  /** Whether the text has the form and the checksum of a key; typos are refused without asking the store. */
  isApiKey(text: string): boolean
  /** 256 random bits as 64 hex characters. */
  newToken(): string
  /** 6 random digits. */
  newCode(): string
  /** 100 random bits as four groups of five characters, without letters that look like digits. */
  newLongCode(): string
  /** HMAC-SHA-256 with the pepper, hex. `purpose` keeps the digests of keys, tokens and codes apart. */
  digest(
    purpose:
      | 'key'
      | 'token'
      | 'code'
      | 'address'
      | 'action'
      | 'key record'
      | 'agent record'
      | 'policy record'
      | 'reservation record'
      | 'approval record'
      | 'request',
    secret: string,
  ): string
  /** Encrypted and authenticated: what must be kept but never lie open in the store. */
  seal(text: string): string
  open(sealed: string): string
}
