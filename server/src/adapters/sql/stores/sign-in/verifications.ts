import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { ActionToRecord } from '#ports/stores/agent-actions.ts'
import type {
  AgentLimit,
  ProvenNetwork,
  TokenRecord,
  Transition,
  VerifyOutcome,
} from '#ports/stores/agents.ts'
import type { MailCap } from '#ports/stores/outbox.ts'
import { lockAgentRow } from '../../lock-order.ts'
import type { Schema } from '../../schema.ts'
import { recordActions } from '../agent-actions.ts'
import { changeAgent } from '../agent-changes.ts'
import { inheritUse, isBelowAgentLimit } from '../agent-limit.ts'
import { EVERYBODY } from '../agent-queries.ts'
import { toAgent } from '../agent-rows.ts'
import { resealed, selectSealed } from '../keys/agent-seal.ts'
import { chargeMailCaps, dropMail, queueMail } from '../mail-queue.ts'
import { rememberNetwork } from './proven-networks.ts'

/** No agent has this number. */
const NOBODY = 0

export async function addToken(
  transaction: Transaction<Schema>,
  agentNo: number,
  token: TokenRecord,
): Promise<void> {
  await transaction
    .insertInto('verifications')
    .values({ token_digest: token.digest, agent_no: agentNo, expires_at: token.expiresAt, used_at: null })
    .execute()
}

type Use = {
  readonly step: Transition
  readonly now: number
  readonly record: ActionToRecord
  readonly agentLimit?: AgentLimit | undefined
  readonly provenFrom?: ((owner: string) => ProvenNetwork) | undefined
}

/** Only the first use makes the transition; later ones find the agent in its target state. */
export async function useToken(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  digest: string,
  { step, now, record, agentLimit, provenFrom }: Use,
): Promise<VerifyOutcome> {
  // Locked before the state is read, so that only one of several concurrent uses is the first.
  const token = await lockAgentRow(
    transaction,
    transaction
      .selectFrom('agents')
      .innerJoin('verifications', 'verifications.agent_no', 'agents.no')
      .select(['agents.id', 'agents.no', 'agents.owner', 'agents.status'])
      .where('token_digest', '=', digest)
      .where('expires_at', '>', now),
  )
  if (!token) return { kind: 'unusable' }
  const isFirst = token.status !== step.to
  if (agentLimit && isFirst && !(await isBelowAgentLimit(transaction, token.owner, agentLimit)))
    return { kind: 'agent_limit_reached' }
  const verified = { identity_tier: 'email_verified', verified_at: now }
  const outcome = await changeAgent(transaction, secrets, EVERYBODY, token.id, step, verified)
  if (agentLimit && isFirst && outcome.kind === 'changed') await inheritUse(transaction, token, agentLimit)
  if (isFirst && outcome.kind === 'changed')
    await recordActions(transaction, secrets, token.id, [record.action], record)
  await transaction
    .updateTable('verifications')
    .set({ used_at: now })
    .where('token_digest', '=', digest)
    .where('used_at', 'is', null)
    .execute()
  if (outcome.kind === 'not_found' || outcome.row.status !== step.to) return { kind: 'unusable' }
  if (provenFrom) await rememberNetwork(transaction, { ...provenFrom(token.owner), now })
  return { kind: 'verified', agent: toAgent(outcome.row) }
}

type Renewal = {
  readonly owner: string
  readonly token: TokenRecord
  readonly sealed: string
  readonly mailCaps: readonly MailCap[]
  readonly now: number
}

export async function renewVerification(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  { owner, token, sealed, mailCaps, now }: Renewal,
): Promise<void> {
  const pending = await lockAgentRow(
    transaction,
    selectSealed(transaction)
      .where('owner', '=', owner)
      .where('status', '=', 'pending_verification')
      .where('verify_by', '>', now)
      .orderBy('no', 'desc')
      .limit(1),
  )
  await addToken(transaction, pending?.no ?? NOBODY, token)
  const mail = await queueMail(transaction, sealed, now)
  if (pending && (await chargeMailCaps(transaction, mailCaps))) {
    const change = { verify_by: token.expiresAt }
    await transaction
      .updateTable('agents')
      .set({ ...change, ...resealed(secrets, pending, change) })
      .where('no', '=', pending.no)
      .execute()
    return
  }
  // Written and deleted again, so that the commit costs the same without a recipient.
  await transaction.deleteFrom('verifications').where('token_digest', '=', token.digest).execute()
  await dropMail(transaction, mail)
}
