import type { Secrets } from '#ports/secrets.ts'
import type { ClaimedIdentity } from '#ports/stores/admission.ts'

export type KeyProofs = {
  /** The identity that a key claims; undefined: it has not the form of a key. */
  prove(key: string): ClaimedIdentity | undefined
  /** Drops every key that was not used since the previous call, so that unused keys leave the memory. */
  forgetUnused(): void
}

/**
 * Caches the digests of keys in use, for all connections together, because a proxy sends many keys over one. Unknown
 * keys are cached, too, so that timing does not reveal which keys exist. A full cache is cleared.
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

/** Computes the digest lazily, when the store needs it: hashing a batch in one loop is twice as fast. */
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
