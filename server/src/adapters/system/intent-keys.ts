import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto'
import type { IntentKey, IntentSigner } from '#ports/intent-signer.ts'

/** A secret, and the time from which its key signs. */
type IntentSecret = { readonly secret: string; readonly validFrom: number }

type HeldKey = IntentKey & { readonly privateKey: KeyObject }

/** PKCS #8 prefix of an Ed25519 private key (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Signs with the key with the latest `validFrom` that has passed. So all instances with the same secrets switch at the
 * same time, and no key signs outside its published time.
 */
export function openIntentSigner(base: string, rotated: readonly IntentSecret[]): IntentSigner {
  const replaced = rotated.some(({ validFrom }) => validFrom <= 0)
  const secrets = [...(replaced ? [] : [{ secret: base, validFrom: 0 }]), ...rotated].toSorted(
    (one, other) => one.validFrom - other.validFrom,
  )
  const keys = secrets
    .map(({ secret, validFrom }, at): HeldKey => {
      const privateKey = toPrivateKey(secret)
      const publicKey = String(createPublicKey(privateKey).export({ format: 'jwk' }).x)
      const validUntil = secrets[at + 1]?.validFrom
      return { id: thumbprint(publicKey), publicKey, validFrom, validUntil, privateKey }
    })
    .toReversed()
  return {
    keys: keys.map(({ privateKey: _, ...key }) => key),
    sign(text, at) {
      const key = keys.find(({ validFrom }) => validFrom <= at)
      if (key === undefined) throw new Error('no key signs at this time')
      return { keyId: key.id, value: sign(null, Buffer.from(text), key.privateKey).toString('base64url') }
    },
  }
}

/** Derives a key from a secret of any form. */
function toPrivateKey(secret: string): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'stakewright intent key', 32))
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
}

/** RFC 7638: the required members of the key, in this order. */
const thumbprint = (x: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
