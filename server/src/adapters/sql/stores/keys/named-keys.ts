import type { Selectable, Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { AgentKeys, NamedKey, NewNamedKey } from '#ports/stores/agent-keys.ts'
import type { Agent } from '#ports/stores/agents.ts'
import type { Database, Schema } from '../../schema.ts'
import { changeAgent } from '../agent-changes.ts'
import { findAgent } from '../agent-queries.ts'
import { type AgentRow, toAgent } from '../agent-rows.ts'
import { recordAndNotify } from '../record-and-notify.ts'
import { lockSealed } from './agent-seal.ts'
import { readNetworks, readScopes, writeNetworks, writeScopes } from './key-limits.ts'
import { isEnded, type KeyContent, keyMac } from './key-seal.ts'
import { endPrevious, findPrevious } from './previous-keys.ts'
import { assertKey } from './primary-keys.ts'

type Needs = { readonly db: Database; readonly secrets: Pick<Secrets, 'seal' | 'digest'> }
type KeyRow = Selectable<Schema['agent_keys']>

/** Each change is one transaction. In the table, only named keys have an id. */
export function sqlAgentKeys({ db, secrets }: Needs): AgentKeys {
  return {
    async list(scope, agentId) {
      const agent = await findAgent(db, scope, agentId)
      if (!agent) return undefined
      const rows = await selectNamed(db, agent.no).execute()
      return rows.flatMap((row) => toNamedKey(row, agent) ?? [])
    },
    add: (scope, agentId, key, { step, most, forgetBefore, keptEnded }, record) =>
      db.transaction().execute(async (transaction) => {
        const outcome = await changeAgent(transaction, secrets, scope, agentId, step, {})
        if (outcome.kind === 'not_found') return { kind: 'not_found' }
        if (outcome.kind === 'refused') return { kind: 'refused', agent: toAgent(outcome.row) }
        const { row } = outcome
        await forgetEnded(transaction, row.no, { before: forgetBefore, kept: keptEnded, now: key.createdAt })
        if ((await countWorking(transaction, row.no, key.createdAt)) >= most) return { kind: 'too_many' }
        await insertNamed(transaction, secrets, row, key)
        await recordAndNotify(
          transaction,
          secrets,
          toAgent(row),
          record,
          { key: { id: key.id, name: key.name, ...key.key, terms: termsOf(key) } },
          key.key.prefix,
        )
        return { kind: 'added' }
      }),
    revoke: (scope, agentId, keyId, now, record) =>
      db.transaction().execute(async (transaction) => {
        await lockSealed(transaction, agentId)
        const agent = await findAgent(transaction, scope, agentId)
        const key =
          agent && (await selectNamed(transaction, agent.no).where('id', '=', keyId).executeTakeFirst())
        if (!key) return undefined
        const isEndedNow = await endNamedKey(transaction, secrets, agent.id, key, now)
        if (!isEndedNow) return { revokedAt: key.revoked_at ?? now }
        const prefix = key.prefix ?? ''
        const details = { key: { id: key.id, prefix, digest: key.digest } }
        await recordAndNotify(transaction, secrets, toAgent(agent), record, details, prefix)
        return { revokedAt: now }
      }),
    previousOf: (agentIds, now) => findPrevious(db, secrets, agentIds, now),
    endPrevious: (...change) =>
      db.transaction().execute((transaction) => endPrevious(transaction, secrets, ...change)),
  }
}

const termsOf = ({ scopes, networks, expiresAt }: NewNamedKey) => ({
  scopes,
  networks,
  expiresAt: expiresAt ?? null,
})

const selectNamed = (db: Database, agentNo: number) =>
  db
    .selectFrom('agent_keys')
    .leftJoin('key_uses', 'key_uses.key_id', 'agent_keys.id')
    .selectAll('agent_keys')
    .select('key_uses.last_used_at')
    .where('agent_no', '=', agentNo)
    .where('id', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')

/** Ends the key for good. False: its sealed row says that it had ended already. */
export async function endNamedKey(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  agentId: Agent['id'],
  key: KeyContent,
  now: number,
): Promise<boolean> {
  const mac = keyMac(secrets, agentId, { ...key, valid_until: 0 })
  const ended = await transaction
    .updateTable('agent_keys')
    .set({ valid_until: 0, revoked_at: now, mac })
    .where('digest', '=', key.digest)
    .where('mac', 'is distinct from', mac)
    .returning('digest')
    .executeTakeFirst()
  await assertKey(transaction, key.digest, { valid_until: 0, mac })
  return ended !== undefined
}

async function insertNamed(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  agent: AgentRow,
  { id, name, scopes, networks, createdAt, expiresAt, key }: NewNamedKey,
): Promise<void> {
  const content = {
    digest: key.digest,
    id,
    scopes: writeScopes(scopes),
    networks: writeNetworks(networks),
    valid_until: expiresAt ?? null,
  }
  const mac = keyMac(secrets, agent.id, content)
  await transaction
    .insertInto('agent_keys')
    .values({ ...content, agent_no: agent.no, name, prefix: key.prefix, created_at: createdAt, mac })
    .execute()
  await assertKey(transaction, key.digest, { agent_no: agent.no, mac })
}

const FORGOTTEN_AT_ONCE = 1_000

async function countWorking(transaction: Transaction<Schema>, agentNo: number, now: number): Promise<number> {
  const found = await transaction
    .selectFrom('agent_keys')
    .select((select) => select.fn.countAll().as('keys'))
    .where('agent_no', '=', agentNo)
    .where('id', 'is not', null)
    .where((where) => where.or([where('valid_until', 'is', null), where('valid_until', '>', now)]))
    .executeTakeFirst()
  return Number(found?.keys ?? 0)
}

type Forgotten = { readonly before: number; readonly kept: number; readonly now: number }

async function forgetEnded(
  transaction: Transaction<Schema>,
  agentNo: number,
  { before, kept, now }: Forgotten,
): Promise<void> {
  const beyondKept = transaction
    .selectFrom('agent_keys')
    .select('id')
    .where('agent_no', '=', agentNo)
    .where('id', 'is not', null)
    .where('valid_until', '<=', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(kept)
    .limit(FORGOTTEN_AT_ONCE)
  const gone = await transaction
    .deleteFrom('agent_keys')
    .where('agent_no', '=', agentNo)
    .where('id', 'is not', null)
    .where((where) =>
      where.or([
        where('revoked_at', '<', before),
        where.and([where('revoked_at', 'is', null), where('valid_until', '<', before)]),
        where('id', 'in', beyondKept),
      ]),
    )
    .returning('id')
    .execute()
  const ids = gone.flatMap(({ id }) => id ?? [])
  if (ids.length > 0) await transaction.deleteFrom('key_uses').where('key_id', 'in', ids).execute()
}

function toNamedKey(
  row: KeyRow & { readonly last_used_at: number | null },
  agent: AgentRow,
): NamedKey | undefined {
  if (row.id === null) return undefined
  return {
    id: row.id,
    name: row.name ?? '',
    prefix: row.prefix ?? '',
    scopes: readScopes(row.scopes),
    networks: readNetworks(row.networks),
    createdAt: row.created_at ?? 0,
    expiresAt: isEnded(row) ? undefined : (row.valid_until ?? undefined),
    lastUsedAt: row.last_used_at ?? undefined,
    revokedAt: isEnded(row) ? (row.revoked_at ?? row.created_at ?? 0) : endWithAgent(row, agent),
  }
}

/** When a key ended because its agent was revoked. */
function endWithAgent({ valid_until: end }: KeyRow, agent: AgentRow): number | undefined {
  if (agent.status !== 'revoked') return undefined
  const revokedAt = agent.revoked_at ?? 0
  return end === null || end > revokedAt ? revokedAt : undefined
}
