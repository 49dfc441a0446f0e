import type { Secrets } from '#ports/secrets.ts'

/** Columns that decide about a key: its rights and its end. */
export type KeyContent = {
  readonly digest: string
  readonly id: string | null
  readonly scopes: string | null
  readonly networks: string | null
  readonly valid_until: number | null
}

type Digest = Pick<Secrets, 'digest'>

/** Binds a key to its agent and its limits: neither can be changed without the pepper. */
export const keyMac = (secrets: Digest, agentId: string, key: KeyContent): string =>
  secrets.digest(
    'key record',
    JSON.stringify([agentId, key.digest, key.id, key.scopes, key.networks, key.valid_until]),
  )

/** `valid_until` decides, because it is sealed; anybody who can write the table can change `revoked_at`. */
export const isEnded = (key: Pick<KeyContent, 'valid_until'>): boolean => key.valid_until === 0

const NO_KEY: KeyContent = { digest: '', id: null, scopes: null, networks: null, valid_until: null }

/** Takes as long without a key, so that the timing of a refusal reveals nothing. */
export function isSealed(
  secrets: Digest,
  agentId: string | undefined,
  key: (KeyContent & { readonly mac: string | null }) | undefined,
): boolean {
  const mac = keyMac(secrets, agentId ?? '', key ?? NO_KEY)
  return key !== undefined && key.mac === mac
}
