/** Time-based one-time codes of authenticator apps (RFC 6238). */
export type OneTimeCodes = {
  /** Encodes a secret given in hex as the text that people type into an app. */
  toText(hex: string): string
  /** The `otpauth:` URI that apps read from a QR code. */
  toUri(secret: string, account: string): string
  /** The code's time step, if the secret yields the code for the current, previous or next step. */
  stepOf(secret: string, code: string, now: number): number | undefined
  /** The time step of a moment. */
  stepAt(now: number): number
}
