import type { Selectable, Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { KeyRecord } from '#ports/stores/agents.ts'
import type { Schema } from '../../schema.ts'
import { assertPersisted } from './assert-persisted.ts'
import { isSealed, keyMac } from './key-seal.ts'

type Digest = Pick<Secrets, 'digest'>
type Owner = { readonly no: number; readonly id: string }

const PRIMARY = { id: null, scopes: null, networks: null } as const

export async function insertPrimaryKey(
  transaction: Transaction<Schema>,
  secrets: Digest,
  { no, id }: Owner,
  { digest, prefix }: KeyRecord,
): Promise<void> {
  const key = { ...PRIMARY, digest, valid_until: null }
  const mac = keyMac(secrets, id, key)
  await transaction
    .insertInto('agent_keys')
    .values({ ...key, agent_no: no, prefix, mac })
    .execute()
  await assertKey(transaction, digest, { agent_no: no, mac })
}

/** Reads back a key, primary or named. */
export const assertKey = (
  transaction: Transaction<Schema>,
  digest: string,
  expected: Partial<Selectable<Schema['agent_keys']>>,
): Promise<void> =>
  assertPersisted(
    'agent_keys',
    transaction.selectFrom('agent_keys').selectAll().where('digest', '=', digest),
    expected,
  )

/**
 * Keeps the previous key with its end, so that its users get a clear refusal, and deletes older ones. A key
 * planted in the database ends at once: sealing its grace period would make it valid.
 */
export async function replacePrimaryKey(
  transaction: Transaction<Schema>,
  secrets: Digest,
  agent: Owner,
  key: KeyRecord,
  graceEndsAt: number | undefined,
): Promise<void> {
  await transaction
    .deleteFrom('agent_keys')
    .where('agent_no', '=', agent.no)
    .where('id', 'is', null)
    .where('valid_until', 'is not', null)
    .execute()
  const before = await transaction
    .selectFrom('agent_keys')
    .select(['digest', 'id', 'scopes', 'networks', 'valid_until', 'mac'])
    .where('agent_no', '=', agent.no)
    .where('id', 'is', null)
    .execute()
  for (const row of before) {
    const endsAt = isSealed(secrets, agent.id, row) ? (graceEndsAt ?? 0) : 0
    await endPrimaryKey(transaction, secrets, agent.id, row.digest, endsAt)
  }
  await insertPrimaryKey(transaction, secrets, agent, key)
  const others = transaction
    .selectFrom('agent_keys')
    .select('digest')
    .where('agent_no', '=', agent.no)
    .where('id', 'is', null)
    .where('valid_until', 'is', null)
    .where('digest', '!=', key.digest)
  await assertPersisted('agent_keys', others, undefined)
}

/** The key is refused from `validUntil` on; 0: always. */
export async function endPrimaryKey(
  transaction: Transaction<Schema>,
  secrets: Digest,
  agentId: string,
  digest: string,
  validUntil: number,
): Promise<void> {
  const mac = keyMac(secrets, agentId, { ...PRIMARY, digest, valid_until: validUntil })
  await transaction
    .updateTable('agent_keys')
    .set({ valid_until: validUntil, mac })
    .where('digest', '=', digest)
    .execute()
  await assertKey(transaction, digest, { valid_until: validUntil, mac })
}
