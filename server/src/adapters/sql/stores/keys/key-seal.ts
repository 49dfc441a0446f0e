import type { Secrets } from '#ports/secrets.ts'
import type { Database } from '../../schema.ts'

/** What decides about a key: whose it is, what it may do, and until when. */
export type KeyContent = {
  readonly digest: string
  readonly id: string | null
  readonly scopes: string | null
  readonly networks: string | null
  readonly valid_until: number | null
}

type Digest = Pick<Secrets, 'digest'>

/** Binds a key to its agent and its limits: whoever can write the database but lacks the pepper cannot change either. */
export const keyMac = (secrets: Digest, agentId: string, key: KeyContent): string =>
  secrets.digest(
    'key record',
    JSON.stringify([agentId, key.digest, key.id, key.scopes, key.networks, key.valid_until]),
  )

const NO_KEY: KeyContent = { digest: '', id: null, scopes: null, networks: null, valid_until: null }

/** Takes as long where there is no key: the time of a refusal says nothing about it. */
export function isSealed(
  secrets: Digest,
  agentId: string | undefined,
  key: (KeyContent & { readonly mac: string | null }) | undefined,
): boolean {
  const mac = keyMac(secrets, agentId ?? '', key ?? NO_KEY)
  return key !== undefined && key.mac === mac
}

const SEALED = 'keys-sealed'

/**
 * Seals the keys of a store that was made before keys were sealed, once. Later a key without a seal is not accepted.
 * Returns how many were sealed.
 */
export async function sealOldKeys(db: Database, secrets: Digest): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const done = await transaction
      .insertInto('seals')
      .values({ name: SEALED, value: secrets.digest('key record', SEALED) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst()
    if (!done) return 0
    const keys = await transaction
      .selectFrom('agent_keys')
      .innerJoin('agents', 'agents.no', 'agent_keys.agent_no')
      .select(['digest', 'agents.id as agent_id', 'valid_until'])
      .where('mac', 'is', null)
      .execute()
    for (const { digest, agent_id, valid_until } of keys) {
      const mac = keyMac(secrets, agent_id, { ...NO_KEY, digest, valid_until })
      await transaction.updateTable('agent_keys').set({ mac }).where('digest', '=', digest).execute()
    }
    return keys.length
  })
}
