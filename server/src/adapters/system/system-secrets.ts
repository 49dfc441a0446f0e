import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Secrets } from '#ports/secrets.ts'
import { ID_LENGTH } from '../../secrets/id-form.ts'
import { hmacSha256 } from './hmac.ts'

type Options = {
  readonly keyPrefix: string
  /**
   * Without it, access to the store allows neither adding keys nor reading queued mails. Its loss invalidates all
   * keys.
   */
  readonly pepper: string
  readonly random?: (bytes: number) => Uint8Array
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
/** Crockford's base 32: no I, L, O or U. */
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LONG_CODE_GROUPS = 4
const KEY_RANDOM_LENGTH = 40
const CHECKSUM_LENGTH = 6
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function openSecrets({ keyPrefix, pepper, random = randomBytes }: Options): Secrets {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', pepper, '', `stakewright ${purpose}`, 32))
  const digest = {
    key: hmacSha256(derive('digest of key')),
    token: hmacSha256(derive('digest of token')),
    code: hmacSha256(derive('digest of code')),
    address: hmacSha256(derive('digest of address')),
    challenge: hmacSha256(derive('digest of challenge')),
    action: hmacSha256(derive('digest of action')),
    request: hmacSha256(derive('digest of request')),
    'key record': hmacSha256(derive('digest of key record')),
    'agent record': hmacSha256(derive('digest of agent record')),
    'policy record': hmacSha256(derive('digest of policy record')),
    'reservation record': hmacSha256(derive('digest of reservation record')),
    'approval record': hmacSha256(derive('digest of approval record')),
  }
  const sealKey = derive('seal')
  const draw = drawFrom(random)
  const keyLength = keyPrefix.length + 1 + KEY_RANDOM_LENGTH + CHECKSUM_LENGTH
  const isApiKey = (text: string): boolean => {
    if (text.length !== keyLength || !text.startsWith(`${keyPrefix}_`)) return false
    if (!/^[0-9A-Za-z]+$/.test(text.slice(keyPrefix.length + 1))) return false
    return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
  }
  return {
    newAgentId: () => `agt_${draw(BASE62, ID_LENGTH)}`,
    newKeyId: () => `key_${draw(BASE62, ID_LENGTH)}`,
    newApprovalId: () => `apr_${draw(BASE62, ID_LENGTH)}`,
    newReservationId: () => `rsv_${draw(BASE62, ID_LENGTH)}`,
    newSessionId: () => `ses_${draw(BASE62, ID_LENGTH)}`,
    newNonce: () => draw(BASE62, ID_LENGTH),
    newApiKey() {
      const body = `${keyPrefix}_${draw(BASE62, KEY_RANDOM_LENGTH)}`
      return body + checksum(body)
    },
    isApiKey,
    apiKeysIn: (text) =>
      new Set(
        startsOf(text, `${keyPrefix}_`)
          .map((start) => text.slice(start, start + keyLength))
          .filter(isApiKey),
      ),
    newToken: () => Buffer.from(random(32)).toString('hex'),
    newCode: () => draw(DIGITS, 6),
    newLongCode: () => Array.from({ length: LONG_CODE_GROUPS }, () => draw(BASE32, 5)).join('-'),
    digest: (purpose, secret) => digest[purpose](secret),
    seal: (text) => seal(sealKey, random(NONCE_BYTES), text),
    open: (sealed) => unseal(sealKey, sealed),
  }
}

/** All positions of `part` in the text, overlapping ones included. */
function startsOf(text: string, part: string): readonly number[] {
  const starts: number[] = []
  for (let start = text.indexOf(part); start >= 0; start = text.indexOf(part, start + 1)) starts.push(start)
  return starts
}

/** Rejection sampling: bytes above the largest multiple of the alphabet's size are discarded, so there is no bias. */
function drawFrom(random: (bytes: number) => Uint8Array) {
  return (alphabet: string, length: number): string => {
    const usable = 256 - (256 % alphabet.length)
    let text = ''
    while (text.length < length) {
      for (const byte of random(length - text.length)) {
        if (byte < usable) text += alphabet[byte % alphabet.length]
      }
    }
    return text
  }
}

/** CRC-32 as six base62 digits. Detects typos; no security. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** AES-256-GCM: nonce, tag and ciphertext in base64url. */
function seal(key: Buffer, nonce: Uint8Array, text: string): string {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')
}

function unseal(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  return text.toString('utf8')
}
