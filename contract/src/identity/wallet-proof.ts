import { z } from 'zod'
import { ChainIdInput } from '../chain-id.ts'

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
export const ONE_PROOF = 'must have either `email`, or `address`, `nonce` and `signature`'

type Proof = { email?: unknown; address?: unknown; nonce?: unknown; signature?: unknown }

export function hasOneProof({ email, address, nonce, signature }: Proof): boolean {
  const parts = [address, nonce, signature].filter((part) => part !== undefined).length
  return email === undefined ? parts === 3 : parts === 0
}
