import type { Claim } from '#ports/admission.ts'
import type { Secrets } from '#ports/secrets.ts'

/** More keys than this are not remembered; they are worked out again. */
const MOST_REMEMBERED = 4_096

/**
 * What a key claims, if it has the form of one. Behind a proxy the keys of many come over one connection, again and
 * again, so they are remembered for all connections. Those that nobody has are too: what is remembered tells nothing
 * about which exist.
 */
export function proveKeys(secrets: Secrets): (key: string) => Claim | undefined {
  const remembered = new Map<string, Claim>()
  return (key) => {
    const known = remembered.get(key)
    if (known) return known
    if (!secrets.isApiKey(key)) return undefined
    const claim = claimBy(key, secrets)
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    remembered.set(key, claim)
    return claim
  }
}

/** The digest is made when the store asks for it: those of many requests in a row cost half as much as each by itself. */
function claimBy(key: string, secrets: Secrets): Claim {
  let digest: string | undefined
  return {
    kind: 'agent-key',
    digest() {
      digest ??= secrets.digest('key', key)
      return digest
    },
  }
}
