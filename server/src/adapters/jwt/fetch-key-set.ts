import type { JSONWebKeySet } from 'jose'
import { createLocalJWKSet } from 'jose/jwks/local'
import { isLoopback } from '../../basics/loopback.ts'
import { readBounded } from '../../basics/read-bounded.ts'

export type KeySet = ReturnType<typeof createLocalJWKSet>

const TIMEOUT_MS = 5_000
const MAX_BYTES = 262_144
const PUBLIC_KEY_TYPES: readonly unknown[] = ['RSA', 'EC', 'OKP']

/** Requires HTTPS except for loopback, because keys fetched over plain HTTP could come from an attacker. */
export function assertTrustworthyUrl(url: string): void {
  const parsed = URL.parse(url)
  if (parsed?.protocol === 'https:') return
  if (parsed?.protocol === 'http:' && isLoopback(parsed.hostname)) return
  throw new TypeError('JWT_JWKS_URL must begin with https:// (http:// works on this machine only)')
}

/** Fetches a key set. Follows no redirect, and throws if the set has no public key. */
export async function fetchKeySet(url: string, signal: AbortSignal): Promise<KeySet> {
  const response = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  if (response.status !== 200) throw new Error(`the issuer answered ${response.status}`)
  const body = await readBounded(response, MAX_BYTES)
  if (!body) throw new Error('the key set is too large')
  return createLocalJWKSet(toKeySet(JSON.parse(body.toString())))
}

/** The checks guarantee a list of objects with a public key's `kty`; jose validates the rest. */
function toKeySet(body: unknown): JSONWebKeySet {
  const keys: unknown = body !== null && typeof body === 'object' && 'keys' in body ? body.keys : undefined
  const usable = Array.isArray(keys) ? keys.filter(isPublicKey) : []
  if (usable.length === 0) throw new Error('the answer holds no public key')
  return { keys: usable } as JSONWebKeySet
}

function isPublicKey(key: unknown): boolean {
  return key !== null && typeof key === 'object' && 'kty' in key && PUBLIC_KEY_TYPES.includes(key.kty)
}
