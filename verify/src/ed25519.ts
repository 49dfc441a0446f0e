import { Ed25519PublicKey } from '@mysten/sui/keypairs/ed25519'

/** Whether the signature of the text is valid for this key. */
export async function isSigned(publicKey: Uint8Array, text: string, signature: Uint8Array): Promise<boolean> {
  try {
    return await new Ed25519PublicKey(publicKey).verify(new TextEncoder().encode(text), signature)
  } catch {
    return false
  }
}
