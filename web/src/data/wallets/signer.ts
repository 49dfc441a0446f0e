/** A wallet that can prove a Sui address: one of the browser, or the play wallet. */
export type Signer = {
  readonly name: string
  connect(): Promise<Account>
}

export type Account = {
  readonly address: string
  /** The signature of a personal message, in base64. */
  sign(message: string): Promise<string>
}

export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
