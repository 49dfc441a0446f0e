/** Codes by the clock, as authenticator apps make them (RFC 6238). */
export type OneTimeCodes = {
  /** The text of a secret that is given as hex digits, as people type it. */
  toText(hex: string): string
  /** The same as an address that apps read from a QR code. */
  toUri(secret: string, account: string): string
  /** The time step of the code, if the secret makes it now, one step before or one step after. */
  stepOf(secret: string, code: string, now: number): number | undefined
  /** The step that this moment is in. */
  stepAt(now: number): number
}
