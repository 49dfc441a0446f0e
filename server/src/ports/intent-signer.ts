/** What a transaction is for, as it is signed. */
export type { Intent } from '@stakewright/contract'

/** A public key that intents are signed with, and when: from `validFrom` until before `validUntil`. */
export type IntentKey = {
  /** Thumbprint of the key (RFC 7638). */
  readonly id: string
  /** 32 bytes as base64url. */
  readonly publicKey: string
  readonly validFrom: number
  readonly validUntil: number | undefined
}

/** The service's own Ed25519 keys. */
export type IntentSigner = {
  /** All that are known, past and coming ones too; the newest first. */
  readonly keys: readonly IntentKey[]
  /** Signs with the key of that moment. The id and the signature are base64url. */
  sign(text: string, at: number): { readonly keyId: string; readonly value: string }
}
