import type { Clock } from '#ports/clock.ts'
import type { Digest } from '#ports/digest.ts'
import type { Intent, IntentSigner } from '#ports/intent-signer.ts'
import type { Secrets } from '#ports/secrets.ts'
import { canonicalJson } from '../../canonical-json.ts'
import { type IntentBasis, toIntent } from './intent.ts'

type SignedIntent = {
  readonly intent: Intent
  /** SHA-256 of its canonical JSON, as base64url. */
  readonly intentId: string
  readonly intentSignature: { readonly keyId: string; readonly value: string }
}

type Needs = {
  readonly signer: IntentSigner
  readonly digest: Digest
  readonly clock: Clock
  readonly secrets: Pick<Secrets, 'newNonce'>
}

/** Makes and signs the intent of a built transaction, so that it can be verified without this service. */
export function signIntents({ signer, digest, clock, secrets }: Needs) {
  return (built: Omit<IntentBasis, 'issuedAt' | 'nonce'>): SignedIntent => {
    const issuedAt = clock.now()
    const intent = toIntent({ ...built, issuedAt, nonce: secrets.newNonce() })
    const text = canonicalJson(intent)
    return {
      intent,
      intentId: Buffer.from(digest(text), 'hex').toString('base64url'),
      intentSignature: signer.sign(text, issuedAt),
    }
  }
}
