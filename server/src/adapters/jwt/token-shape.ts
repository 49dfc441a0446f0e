import { hasKeyTwice, sizeOfJson } from '@stakewright/contract/json-keys'
import { decode, encode } from 'jose/base64url'
import { TOKEN_FORM } from '../../secrets/token-form.ts'

/** Claims of a token that is not verified yet. */
type UnverifiedToken = { readonly algorithm: string; readonly issuer: string }

const MAX_LENGTH = 8_192

/** Header fields by which a token could choose its own key, or that require unsupported processing. */
const FORBIDDEN_HEADERS = ['jwk', 'jku', 'x5u', 'x5c', 'crit', 'b64', 'zip', 'enc', 'cty']

/** Algorithm and issuer of a JWT in plain compact form; undefined for anything else. */
export function readTokenShape(token: string): UnverifiedToken | undefined {
  if (token.length > MAX_LENGTH) return undefined
  const [, headerPart = '', claimsPart = '', signature = ''] = TOKEN_FORM.exec(token) ?? []
  if (![headerPart, claimsPart, signature].every(isCanonical)) return undefined
  const header = readFields(headerPart)
  const claims = readFields(claimsPart)
  if (!header || !claims) return undefined
  if (FORBIDDEN_HEADERS.some((name) => header.has(name))) return undefined
  const algorithm = header.get('alg')
  const issuer = claims.get('iss')
  if (typeof algorithm !== 'string' || typeof issuer !== 'string') return undefined
  return { algorithm, issuer }
}

/** Unused bits of the last base64url character must be 0, because one token would otherwise have several encodings. */
function isCanonical(part: string): boolean {
  try {
    return encode(decode(part)) === part
  } catch {
    return false
  }
}

function readFields(part: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const json = new TextDecoder('utf-8', { fatal: true }).decode(decode(part))
    const value: unknown = JSON.parse(json)
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
    return hasKeyTwice(value, sizeOfJson(json)) ? undefined : new Map(Object.entries(value))
  } catch {
    return undefined
  }
}
