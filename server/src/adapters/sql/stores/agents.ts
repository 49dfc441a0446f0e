import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { ActionRecord, Agent, Agents, ChangeOutcome, NewAgent } from '#ports/stores/agents.ts'
import type { Database, Schema } from '../schema.ts'
import { recordActions } from './agent-actions.ts'
import { changeAgent, type RowChange } from './agent-changes.ts'
import { findAgent, listAgents } from './agent-queries.ts'
import { toAgent, toRow } from './agent-rows.ts'
import { queueCappedMail } from './mail-queue.ts'
import { chargeLimits } from './registration-limits.ts'
import { revokeByKey } from './revoke-by-key.ts'
import { addToken, renewVerification, useToken } from './sign-in/verifications.ts'

type Needs = { readonly db: Database; readonly secrets: Pick<Secrets, 'seal' | 'digest'> }

/** Each method is one transaction. Mails are sealed before they reach it: no token lies open in the file or its log. */
export function sqlAgents({ db, secrets }: Needs): Agents {
  /** Records what was done to the agent, and queues the mail to its owner. */
  async function tell(transaction: Transaction<Schema>, agent: Agent, record: ActionRecord): Promise<void> {
    const notice = record.notice(agent)
    if (notice) {
      const sealed = secrets.seal(JSON.stringify(notice.mail))
      await queueCappedMail(transaction, sealed, notice.mailCaps, record.at)
    }
    await recordActions(transaction, secrets, agent.id, record.actions, record)
  }

  async function tellOutcome(
    transaction: Transaction<Schema>,
    taken: RowChange,
    record: ActionRecord | undefined,
  ): Promise<ChangeOutcome> {
    const outcome = toOutcome(taken)
    if (outcome.kind === 'changed' && record) await tell(transaction, outcome.agent, record)
    return outcome
  }

  const inTransaction = <T>(work: (transaction: Transaction<Schema>) => Promise<T>) =>
    db.transaction().execute(work)
  return {
    selfRegister: ({ agent, token, mail, mailCaps, limits }) => {
      const sealed = secrets.seal(JSON.stringify(mail))
      return inTransaction(async (transaction) => {
        const reached = await chargeLimits(transaction, limits)
        if (reached) return reached
        const no = await insertAgent(transaction, agent)
        await addToken(transaction, no, token, agent.createdAt)
        await queueCappedMail(transaction, sealed, mailCaps, agent.createdAt)
        return { kind: 'registered' }
      })
    },
    registerWithin: (agent, limits) =>
      inTransaction(async (transaction) => {
        const reached = await chargeLimits(transaction, limits)
        if (reached) return reached
        await insertAgent(transaction, agent)
        return { kind: 'registered' }
      }),
    register: (agent, replaced, record) =>
      inTransaction(async (transaction) => {
        if (replaced) {
          const values = { revoked_at: agent.createdAt }
          const outcome = await changeAgent(transaction, EVERYBODY, replaced.id, replaced.step, values)
          if (outcome.kind !== 'changed') return 'replaced_agent_not_found'
          if (record) await recordActions(transaction, secrets, replaced.id, ['replace'], record)
        }
        await insertAgent(transaction, agent)
        const row = record && (await findAgent(transaction, EVERYBODY, agent.id))
        if (row && record) await tell(transaction, toAgent(row), record)
        return 'registered'
      }),
    verify: (tokenDigest, step, now) =>
      inTransaction((transaction) => useToken(transaction, tokenDigest, step, now)),
    renewVerification: ({ mail, ...renewal }) => {
      const sealed = secrets.seal(JSON.stringify(mail))
      return inTransaction((transaction) => renewVerification(transaction, { ...renewal, sealed }))
    },
    find: async (scope, id) => {
      const row = await findAgent(db, scope, id)
      return row && toAgent(row)
    },
    list: (scope, page) => listAgents(db, scope, page),
    replaceKey: (scope, id, { key, step, now, graceEndsAt }, record) =>
      inTransaction(async (transaction) => {
        const values = { key_prefix: key.prefix, rotated_at: now }
        const outcome = await changeAgent(transaction, scope, id, step, values)
        if (outcome.kind === 'changed') {
          await replaceKeyOf(transaction, outcome.row.no, key.digest, graceEndsAt)
        }
        return tellOutcome(transaction, outcome, record)
      }),
    revoke: (scope, id, step, now, record) =>
      inTransaction(async (transaction) => {
        const outcome = await changeAgent(transaction, scope, id, step, { revoked_at: now })
        return tellOutcome(transaction, outcome, record)
      }),
    revokeAll: async (owner, step, now) => {
      const { numUpdatedRows } = await db
        .updateTable('agents')
        .set({ status: step.to, revoked_at: now })
        .where('owner', '=', owner)
        .where('status', 'in', step.from)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
    revokeByKey: (keyDigest, { step, now }, record) =>
      inTransaction(async (transaction) => {
        const agent = await revokeByKey(transaction, keyDigest, { step, now })
        if (agent && record) await tell(transaction, agent, record)
        return agent
      }),
    update: (id, { step, limits }, record) =>
      inTransaction(async (transaction) => {
        const outcome = await changeAgent(transaction, EVERYBODY, id, step, { ...limits })
        return tellOutcome(transaction, outcome, record)
      }),
  }
}

const EVERYBODY = { kind: 'everybody' } as const

async function insertAgent(transaction: Transaction<Schema>, agent: NewAgent): Promise<number> {
  const { no } = await transaction
    .insertInto('agents')
    .values(toRow(agent))
    .returning('no')
    .executeTakeFirstOrThrow()
  await insertKey(transaction, no, agent.key.digest)
  return no
}

async function insertKey(transaction: Transaction<Schema>, agentNo: number, digest: string): Promise<void> {
  await transaction
    .insertInto('agent_keys')
    .values({ digest, agent_no: agentNo, valid_until: null })
    .execute()
}

/** The key before is kept, with its end, so that whoever still uses it can be told; the ones before it are not. */
async function replaceKeyOf(
  transaction: Transaction<Schema>,
  agentNo: number,
  digest: string,
  graceEndsAt: number | undefined,
): Promise<void> {
  await transaction
    .deleteFrom('agent_keys')
    .where('agent_no', '=', agentNo)
    .where('valid_until', 'is not', null)
    .execute()
  await transaction
    .updateTable('agent_keys')
    .set({ valid_until: graceEndsAt ?? 0 })
    .where('agent_no', '=', agentNo)
    .execute()
  await insertKey(transaction, agentNo, digest)
}

function toOutcome(outcome: RowChange): ChangeOutcome {
  if (outcome.kind === 'not_found') return outcome
  return { kind: outcome.kind, agent: toAgent(outcome.row) }
}
