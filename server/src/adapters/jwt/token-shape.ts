import { hasKeyTwice, sizeOfJson } from '@stakewright/contract/json-keys'
import { decode, encode } from 'jose/base64url'
import { TOKEN_FORM } from '../../secrets/token-form.ts'

/** Claims of a token that is not verified yet. */
type UnverifiedToken = { readonly algorithm: string; readonly issuer: string }

const MAX_LENGTH = 8_192

/** Header fields that would let a token choose its own key, or ask for rules that are not kept here. */
const FORBIDDEN_HEADERS = ['jwk', 'jku', 'x5u', 'x5c', 'crit', 'b64', 'zip', 'enc', 'cty']

/** Undefined for everything that is not a signed token in its plainest form. */
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

/** Bits that the last character does not use must be 0: otherwise one token would have many spellings. */
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
