import type { IntentSigner } from '#ports/intent-signer.ts'
import { toIso } from '../../basics/iso-time.ts'
import { conditional, prepare, share } from '../cached-answer.ts'
import type { Endpoints } from '../endpoint.ts'

/** Caching is safe: a future key is published as soon as it is configured, long before it signs. */
const FRESH_SECONDS = 3600

/** The public keys for verifying intents without this service. */
export function intentEndpoints({ signer }: { readonly signer: IntentSigner }) {
  const keys = signer.keys.map(({ id, publicKey, validFrom, validUntil }) => ({
    kid: id,
    kty: 'OKP',
    crv: 'Ed25519',
    x: publicKey,
    use: 'sig',
    alg: 'EdDSA',
    validFrom: toIso(validFrom),
    validUntil: validUntil === undefined ? null : toIso(validUntil),
  }))
  const published = share(prepare({ keys }, FRESH_SECONDS))
  return {
    intentKeys: { handle: (_, { hasVersion }) => ({ answer: conditional(hasVersion, published) }) },
  } satisfies Endpoints
}
