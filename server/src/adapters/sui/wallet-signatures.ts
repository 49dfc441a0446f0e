import type { WalletSignatures } from '#ports/chain/wallets.ts'

/**
 * Signatures of Sui wallets, checked without a node: Ed25519, Secp256k1, Secp256r1, passkeys and multisig of them.
 * A zkLogin signature needs a node to be checked (see `zk-logins.ts`), so it counts as none here. The library is loaded with the first signature:
 * it takes a quarter of the time of a start.
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
