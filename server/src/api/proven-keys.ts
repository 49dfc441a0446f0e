import type { Secrets } from '#ports/secrets.ts'
import type { ClaimedIdentity } from '#ports/stores/admission.ts'

export type KeyProofs = {
  /** What a key claims, if it has the form of one. */
  prove(key: string): ClaimedIdentity | undefined
  /** Drops every key that was not used since the call before: no key stays in memory when it is out of use. */
  forgetUnused(): void
}

/**
 * Caches the digests of keys that are in use, for all connections: behind a proxy the keys of many come over one.
 * Keys that nobody has are cached, too, so the cache tells nothing about which exist. It begins anew when it is full.
 */
export function proveKeys(secrets: Secrets, mostCached: number): KeyProofs {
  let recent = new Map<string, ClaimedIdentity>()
  let older = new Map<string, ClaimedIdentity>()

  function remember(key: string, claim: ClaimedIdentity): ClaimedIdentity {
    if (recent.size >= mostCached) recent.clear()
    recent.set(key, claim)
    return claim
  }

  return {
    prove(key) {
      const known = recent.get(key)
      if (known) return known
      const used = older.get(key)
      if (used) return remember(key, used)
      return secrets.isApiKey(key) ? remember(key, claimBy(key, secrets)) : undefined
    },
    forgetUnused() {
      older = recent
      recent = new Map()
    },
  }
}

/** Computed when the store asks for it: hashing a batch in one loop is twice as fast. */
function claimBy(key: string, secrets: Secrets): ClaimedIdentity {
  let digest: string | undefined
  return {
    kind: 'agent-key',
    digest() {
      digest ??= secrets.digest('key', key)
      return digest
    },
  }
}
