/** The signed statement of what a transaction is for. */
export type { Intent } from '@stakewright/contract'

/** A public key for intent signatures, valid from `validFrom` until before `validUntil`. */
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
  /** Past, current and future keys, newest first. */
  readonly keys: readonly IntentKey[]
  /** Signs with the key valid at `at`. Key id and signature are base64url. */
  sign(text: string, at: number): { readonly keyId: string; readonly value: string }
}
