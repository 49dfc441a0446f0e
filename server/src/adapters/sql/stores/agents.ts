import type { Transaction } from 'kysely'
import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { ActionDetails, ActionToRecord } from '#ports/stores/agent-actions.ts'
import type { ActionRecord, Agents, ChangeOutcome, NewAgent } from '#ports/stores/agents.ts'
import { lockSection } from '../lock-order.ts'
import type { Database, Schema } from '../schema.ts'
import { recordActions } from './agent-actions.ts'
import { changeAgent, type RowChange } from './agent-changes.ts'
import { inheritUse, isBelowAgentLimit } from './agent-limit.ts'
import { EVERYBODY, findAgent, listAgents } from './agent-queries.ts'
import { limitsIn, toAgent, toRow } from './agent-rows.ts'
import { recordCompleted } from './completed-requests.ts'
import { agentMac, isSealedAgent, lockSealed, logTampering } from './keys/agent-seal.ts'
import { assertPersisted } from './keys/assert-persisted.ts'
import { insertPrimaryKey, replacePrimaryKey } from './keys/primary-keys.ts'
import { revokeByKey } from './keys/revoke-by-key.ts'
import { queueCappedMail, queueNotice } from './mail-queue.ts'
import { transferMandate } from './policy/transfer-mandate.ts'
import { recordAndNotify } from './record-and-notify.ts'
import { chargeLimits } from './registration-limits.ts'
import { addToken, renewVerification, useToken } from './sign-in/verifications.ts'
import { redeemChallenge } from './sign-in/wallet-challenges.ts'

type Needs = {
  readonly db: Database
  readonly secrets: Pick<Secrets, 'seal' | 'digest'>
  readonly logger?: Pick<Logger, 'error'>
}

/** For operator commands, which report to their caller instead of logging. */
const NO_LOG: Pick<Logger, 'error'> = { error() {} }

/** Each change is one transaction. Mails are sealed first: neither database nor WAL has a plain token. */
export function sqlAgents({ db, secrets, logger = NO_LOG }: Needs): Agents {
  async function recordOutcome(
    transaction: Transaction<Schema>,
    taken: RowChange,
    record: ActionRecord | undefined,
    details?: ActionDetails,
  ): Promise<ChangeOutcome> {
    const outcome = toOutcome(taken)
    if (outcome.kind === 'changed' && record)
      await recordAndNotify(transaction, secrets, outcome.agent, record, details)
    return outcome
  }

  const recordRegistration = (
    transaction: Transaction<Schema>,
    { id, key }: NewAgent,
    record: ActionToRecord,
  ) => recordActions(transaction, secrets, id, [record.action], record, { key: { id: null, ...key } })

  const inTransaction = <T>(work: (transaction: Transaction<Schema>) => Promise<T>) =>
    db.transaction().execute(work)
  return {
    selfRegister: ({ agent, token, mail, mailCaps, limits, record, completed }) => {
      const sealed = secrets.seal(JSON.stringify(mail))
      return inTransaction(async (transaction) => {
        const reached = await chargeLimits(transaction, limits)
        if (reached) return reached
        const no = await insertAgent(transaction, secrets, agent)
        await addToken(transaction, no, token)
        await queueCappedMail(transaction, sealed, mailCaps, agent.createdAt)
        await recordRegistration(transaction, agent, record)
        if (completed) await recordCompleted(transaction, secrets, completed)
        return { kind: 'registered' }
      })
    },
    registerWithin: (agent, limits, record, { agentLimit, completed, challenge } = {}) =>
      inTransaction(async (transaction) => {
        if (agentLimit && !(await isBelowAgentLimit(transaction, agent.owner, agentLimit)))
          return { kind: 'agent_limit_reached' }
        const reached = await chargeLimits(transaction, limits)
        if (reached) return reached
        if (challenge && !(await redeemChallenge(transaction, secrets, challenge)))
          return { kind: 'challenge_used' }
        const no = await insertAgent(transaction, secrets, agent)
        if (agentLimit) await inheritUse(transaction, { ...agent, no }, agentLimit)
        await recordRegistration(transaction, agent, record)
        if (completed) await recordCompleted(transaction, secrets, completed)
        return { kind: 'registered' }
      }),
    register: (agent, replaced, record, agentLimit) =>
      inTransaction(async (transaction) => {
        const before = replaced && (await lockSealed(transaction, replaced.id))
        await lockSection(transaction, 'registrations')
        if (agentLimit && !(await isBelowAgentLimit(transaction, agent.owner, agentLimit)))
          return { kind: 'agent_limit_reached' }
        // A mandate that was tampered with must not get a new, valid seal.
        if (replaced && !isSealedAgent(secrets, before, before?.mac)) {
          if (before) logTampering(logger, replaced.id)
          return { kind: 'replaced_agent_not_found' }
        }
        const values = { revoked_at: agent.createdAt }
        const outcome =
          replaced && (await changeAgent(transaction, secrets, EVERYBODY, replaced.id, replaced.step, values))
        if (outcome && outcome.kind !== 'changed') return { kind: 'replaced_agent_not_found' }
        if (replaced && record) await recordActions(transaction, secrets, replaced.id, ['replace'], record)
        const notice = outcome && replaced?.notice?.(toAgent(outcome.row))
        if (notice) await queueNotice(transaction, secrets, notice, agent.createdAt)
        const no = await insertAgent(transaction, secrets, agent)
        if (outcome) await transferMandate(transaction, secrets, outcome.row, { no, id: agent.id })
        if (agentLimit) await inheritUse(transaction, { ...agent, no }, agentLimit)
        const row = record && (await findAgent(transaction, EVERYBODY, agent.id))
        const details = { key: { id: null, ...agent.key } }
        if (row && record) await recordAndNotify(transaction, secrets, toAgent(row), record, details)
        return { kind: 'registered' }
      }),
    verify: (tokenDigest, step, now, record, options = {}) =>
      inTransaction((transaction) =>
        useToken(transaction, secrets, tokenDigest, { step, now, record, ...options }),
      ),
    renewVerification: ({ mail, ...renewal }) => {
      const sealed = secrets.seal(JSON.stringify(mail))
      return inTransaction((transaction) => renewVerification(transaction, secrets, { ...renewal, sealed }))
    },
    find: async (scope, id) => {
      const row = await findAgent(db, scope, id)
      return row && toAgent(row)
    },
    list: (scope, page, filter) => listAgents(db, scope, page, filter),
    replaceKey: (scope, id, { key, step, now, graceEndsAt }, record) =>
      inTransaction(async (transaction) => {
        const values = { key_prefix: key.prefix, rotated_at: now }
        const outcome = await changeAgent(transaction, secrets, scope, id, step, values)
        if (outcome.kind === 'changed') {
          await replacePrimaryKey(transaction, secrets, outcome.row, key, graceEndsAt)
        }
        return recordOutcome(transaction, outcome, record, { key: { id: null, ...key } })
      }),
    revoke: (scope, id, step, now, record) =>
      inTransaction(async (transaction) => {
        const outcome = await changeAgent(transaction, secrets, scope, id, step, { revoked_at: now })
        return recordOutcome(transaction, outcome, record)
      }),
    revokeAll: async (owner, step, now, record) => {
      const rows = await db
        .selectFrom('agents')
        .select('id')
        .where('owner', '=', owner)
        .where('status', 'in', step.from)
        .orderBy('no')
        .execute()
      const scope = { kind: 'owner', owner } as const
      const revokeOne = (id: string) =>
        inTransaction(async (transaction) => {
          const { kind } = await changeAgent(transaction, secrets, scope, id, step, { revoked_at: now })
          if (kind !== 'changed') return 0
          await recordActions(transaction, secrets, id, [record.action], record)
          return 1
        })
      let revoked = 0
      for (const { id } of rows) revoked += await revokeOne(id)
      return revoked
    },
    revokeByKey: (keyDigest, { step, now }, record) =>
      inTransaction(async (transaction) => {
        const ended = await revokeByKey(transaction, secrets, keyDigest, { step, now })
        if (!ended) return undefined
        const { agent, key, alone } = ended
        const alonePrefix = alone ? key.prefix : undefined
        if (record) await recordAndNotify(transaction, secrets, agent, record, { key }, alonePrefix)
        return agent
      }),
    update: (id, { step, limits }, record) =>
      inTransaction(async (transaction) => {
        // Locked, so that the limits read here are those that the update replaces.
        const before = await lockSealed(transaction, id)
        const outcome = await changeAgent(transaction, secrets, EVERYBODY, id, step, { ...limits })
        const changed = limits && { before: (before && limitsIn(before)) ?? null, after: limits }
        return recordOutcome(transaction, outcome, record, changed && { limits: changed })
      }),
  }
}

async function insertAgent(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  agent: NewAgent,
): Promise<number> {
  const row = toRow(agent)
  const { no } = await transaction.insertInto('agents').values(row).returning('no').executeTakeFirstOrThrow()
  const mac = agentMac(secrets, { ...row, no })
  await transaction.updateTable('agents').set({ mac }).where('no', '=', no).execute()
  const kept = transaction.selectFrom('agents').selectAll().where('no', '=', no)
  await assertPersisted('agents', kept, { ...row, mac })
  await insertPrimaryKey(transaction, secrets, { no, id: agent.id }, agent.key)
  return no
}

function toOutcome(outcome: RowChange): ChangeOutcome {
  if (outcome.kind === 'not_found') return outcome
  return { kind: outcome.kind, agent: toAgent(outcome.row) }
}
