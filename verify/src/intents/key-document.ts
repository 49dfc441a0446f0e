import { digestOf, fromBase64Url } from '../canonical.ts'
import { isSigned } from '../ed25519.ts'
import type { Fields } from '../fields.ts'
import { BadKeys, type Failure } from '../refusal.ts'

type Key = {
  readonly id: string
  readonly publicKey: Uint8Array
  readonly validFrom: number
  readonly validUntil: number
}

const PUBLIC_KEY_BYTES = 32
const SIGNATURE_BYTES = 64

/**
 * Fails unless the text is signed with a key of the document that was valid at `issuedAt`. The document is what a
 * service publishes at /.well-known/stakewright-keys.json; throws `BadKeys` if it cannot be parsed.
 */
export async function checkSignature(
  text: string,
  signature: unknown,
  issuedAt: unknown,
  document: unknown,
): Promise<Failure | undefined> {
  const keys = await readKeys(document)
  const { keyId, value, ...others } = isObject(signature) ? signature : {}
  const fail = (expected: string, actual: string): Failure => ({ rule: 'signature', expected, actual })
  const key = keys.find(({ id }) => id === keyId)
  if (Object.keys(others).length > 0)
    return fail('keyId and value', Object.keys(others).join(', ').slice(0, 64))
  if (key === undefined) return fail('one of the given keys', `key ${String(keyId).slice(0, 64)}`)
  const at = typeof issuedAt === 'string' ? Date.parse(issuedAt) : Number.NaN
  if (!(at >= key.validFrom && at < key.validUntil))
    return fail('a key that was valid when it was issued', `issued at ${String(issuedAt).slice(0, 64)}`)
  const bytes = fromBase64Url(value, SIGNATURE_BYTES)
  if (bytes === undefined || !(await isSigned(key.publicKey, text, bytes)))
    return fail('the signature of this intent', 'another signature')
  return undefined
}

async function readKeys(document: unknown): Promise<readonly Key[]> {
  const { keys } = isObject(document) ? document : {}
  if (!Array.isArray(keys) || keys.length === 0) throw new BadKeys('the key document has no list of keys')
  return Promise.all(keys.map((key, at) => readKey(key, `keys[${at}]`)))
}

async function readKey(value: unknown, where: string): Promise<Key> {
  const { kty, crv, x, kid, validFrom, validUntil } = isObject(value) ? value : {}
  const publicKey = fromBase64Url(x, PUBLIC_KEY_BYTES)
  if (kty !== 'OKP' || crv !== 'Ed25519' || publicKey === undefined)
    throw new BadKeys(`${where} is no Ed25519 key`)
  // The id must be the RFC 7638 thumbprint, so that a key cannot use the id of another key.
  if (kid !== (await digestOf({ crv, kty, x }))) throw new BadKeys(`${where} has the name of another key`)
  const from = toTime(validFrom)
  const until = validUntil === null ? Number.POSITIVE_INFINITY : toTime(validUntil)
  if (Number.isNaN(from) || Number.isNaN(until)) throw new BadKeys(`${where} does not say when it is valid`)
  return { id: kid, publicKey, validFrom: from, validUntil: until }
}

const toTime = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : Number.NaN)

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null
