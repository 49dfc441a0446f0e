import type { Secrets } from '#ports/secrets.ts'
import { TOKEN_FORM } from '../../secrets/token-form.ts'
import { readBearer } from '../read-bearer.ts'
import type { CredentialIn } from './open-breaker.ts'

/** Recognises keys and tokens by their form alone, without looking anything up. */
export function credentialForms({ isApiKey }: Pick<Secrets, 'isApiKey'>): CredentialIn {
  return ({ 'x-api-key': key, authorization }) => {
    const text = typeof key === 'string' ? key : bearerOf(authorization)
    if (text === undefined) return undefined
    if (isApiKey(text)) return { text, kind: 'key' }
    return TOKEN_FORM.test(text) ? { text, kind: 'token' } : undefined
  }
}

/** A malformed Authorization header is refused later, with the reason. */
function bearerOf(authorization: string | undefined): string | undefined {
  try {
    return readBearer(authorization)
  } catch {
    return undefined
  }
}
