import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto'

/** The file in the data folder that holds the secret of the audit log. */
export const AUDIT_KEY_FILE = 'audit-key'

/**
 * Seals that nobody can forge with write access to the database alone. Anybody with the public key can check
 * signatures. Only this service can make or check a MAC, which is quick enough for marks that every commit writes.
 */
export type AuditSeal = {
  sign(text: string): string
  isSigned(text: string, signature: string): boolean
  mac(text: string): string
  isMac(text: string, mac: string): boolean
  /** Base64 of its DER form. */
  readonly publicKey: string
}

/** The PKCS #8 prefix of a 32-byte Ed25519 key, as Node reads it. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** HMAC with SHA-256 and this key, in hex. */
type Hmac = (key: Uint8Array) => (text: string) => string

const nodeHmac: Hmac = (key) => (text) => createHmac('sha256', key).update(text).digest('hex')

/** `hmac` may be a quicker implementation: the hot path seals a mark with every commit. */
export function auditSeal(secret: string, hmac = nodeHmac): AuditSeal {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `stakewright audit ${purpose}`, 32))
  const der = Buffer.concat([PKCS8_HEAD, derive('signature')])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey)
  const macOf = hmac(derive('mac'))
  return {
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
    isSigned(text, signature) {
      const bytes = Buffer.from(signature, 'base64')
      // Several base64 texts decode to the same bytes; only the canonical one is accepted.
      return bytes.toString('base64') === signature && verify(null, Buffer.from(text), publicKey, bytes)
    },
    mac: macOf,
    isMac(text, mac) {
      const given = Buffer.from(mac)
      const expected = Buffer.from(macOf(text))
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  }
}
