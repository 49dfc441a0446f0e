import { randomUUID } from 'node:crypto'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import { sqlPolicies } from '#adapters/sql/stores/policy/policies.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { ActionRecord } from '#ports/stores/agents.ts'
import type { PolicyDocument } from '#ports/stores/policies.ts'
import type { Database } from '../../src/adapters/sql/schema.ts'
import { active, EVERYBODY } from '../contracts/suites/sample-agents.ts'
import { silentLogger } from '../support/silent-logger.ts'

export const RECORD: ActionRecord = {
  actions: ['set-policy'],
  at: 0,
  actor: { kind: 'user', id: 'ann', role: 'user' },
  truncatedAddress: '',
  via: 'rest',
  notice: () => undefined,
}

type Wanted = { readonly id?: string; readonly document?: PolicyDocument }

/** Adds an agent and its first policy, and returns the agent's number. */
export async function agentWithPolicy(
  db: Database,
  secrets: Secrets,
  { id = `agt_${randomUUID()}`, document = { rules: [], loosenAfterSeconds: 0 } }: Wanted = {},
): Promise<number> {
  await sqlAgents({ db, secrets }).register(active(id), undefined)
  await sqlPolicies({ db, secrets, logger: silentLogger }).write(
    EVERYBODY,
    id,
    { document, hash: 'hash', changedAt: 0, changedBy: { id: 'ann', role: 'user' }, replaces: 0 },
    RECORD,
  )
  return (await db.selectFrom('agents').select('no').where('id', '=', id).executeTakeFirstOrThrow()).no
}
