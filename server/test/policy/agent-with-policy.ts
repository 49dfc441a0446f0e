import { randomUUID } from 'node:crypto'
import { agentMac } from '#adapters/sql/stores/keys/agent-seal.ts'
import { sqlPolicies } from '#adapters/sql/stores/policy/policies.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { ActionRecord } from '#ports/stores/agents.ts'
import type { Database } from '../../src/adapters/sql/schema.ts'
import { silentLogger } from '../support/silent-logger.ts'

export const RECORD: ActionRecord = {
  actions: ['set-policy'],
  at: 0,
  actor: { kind: 'user', id: 'ann', role: 'user' },
  truncatedAddress: '',
  via: 'rest',
  notice: () => undefined,
}

/** Adds an agent and its first policy, and returns the agent's number. */
export async function agentWithPolicy(
  db: Database,
  secrets: Pick<Secrets, 'digest' | 'seal'>,
): Promise<number> {
  const row = {
    id: `agt_${randomUUID()}`,
    owner: 'ann',
    name: '',
    type: 'bot',
    identity_tier: 'unverified',
    tier: 'free',
  }
  const times = { created_at: 0, verify_by: null, verified_at: null, rotated_at: null, revoked_at: null }
  const rest = { status: 'active', rpm: null, rpd: null, key_prefix: '', wallet_address: null, mac: null }
  const { no } = await db
    .insertInto('agents')
    .values({ ...row, ...times, ...rest, policy_revision: null })
    .returning('no')
    .executeTakeFirstOrThrow()
  const agent = await db.selectFrom('agents').selectAll().where('no', '=', no).executeTakeFirstOrThrow()
  await db
    .updateTable('agents')
    .set({ mac: agentMac(secrets, agent) })
    .where('no', '=', no)
    .execute()
  await sqlPolicies({ db, secrets, logger: silentLogger }).write(
    { kind: 'everybody' },
    row.id,
    {
      document: { rules: [], loosenAfterSeconds: 0 },
      hash: '',
      changedAt: 0,
      changedBy: { id: 'ann', role: 'user' },
      replaces: 0,
    },
    RECORD,
  )
  return no
}
