import { z } from 'zod'
import { ChainIdInput } from '../chain-id.ts'
import { refusalFix } from '../texts/refusal-fix.ts'

/** The proof of a Sui address: all of these fields, or none. */
export const WalletProof = {
  address: ChainIdInput.optional().meta({ description: 'Instead of `email`: an address on Sui.' }),
  nonce: z.string().max(128).optional().meta({ description: 'With `address`: the nonce of the challenge.' }),
  signature: z
    .string()
    .max(8_192)
    .optional()
    .meta({ description: 'With `address`: the signature of the challenge’s message, in base64.' }),
}
/** The refusal of a request that must have one of two proofs. */
export const oneProof = (byMail: string) => {
  const proofs = `either ${byMail}, or \`address\`, \`nonce\` and \`signature\``
  return {
    error: `must have ${proofs}`,
    params: refusalFix(
      `Send ${proofs}: {{walletChallenge}} gives \`nonce\` and the text to sign.`,
      'walletChallenge',
    ),
  }
}

type Proof = { email?: unknown; address?: unknown; nonce?: unknown; signature?: unknown }

export function hasOneProof({ email, address, nonce, signature }: Proof): boolean {
  const parts = [address, nonce, signature].filter((part) => part !== undefined).length
  return email === undefined ? parts === 3 : parts === 0
}
