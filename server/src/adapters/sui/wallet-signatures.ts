import type { WalletSignatures } from '#ports/chain/wallets.ts'

/**
 * Signatures of Sui wallets, checked without a node: Ed25519, Secp256k1, Secp256r1, passkeys and multisig of them.
 * zkLogin signatures need a node (see `zk-logins.ts`) and count as invalid here. The library is loaded with the first
 * signature, because it would take a quarter of the startup time.
 */
export const suiWalletSignatures: WalletSignatures = {
  async isSigned(message, signature, address) {
    const { verifyPersonalMessageSignature } = await import('@mysten/sui/verify')
    try {
      await verifyPersonalMessageSignature(new TextEncoder().encode(message), signature, { address })
      return true
    } catch {
      return false
    }
  },
}
