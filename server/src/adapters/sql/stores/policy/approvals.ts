import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Approval, Approvals, Decision } from '#ports/stores/approvals.ts'
import { CLOCK_STEP_MS } from '../../../../durations.ts'
import type { Schema } from '../../schema.ts'
import { findAgent } from '../agent-queries.ts'
import { toAgent } from '../agent-rows.ts'
import { queueNotice } from '../mail-queue.ts'
import { recordAndNotify } from '../record-and-notify.ts'
import { insertApproval, writeDecision } from './approval-changes.ts'
import { findApproval, holderOf, listNewest, selectUsable } from './approval-queries.ts'
import { toApproval } from './approval-rows.ts'
import type { SealNeeds } from './approval-seal.ts'
import { listByState } from './approvals-by-state.ts'
import { type AgentLock, withAgentLocked } from './lock-agent.ts'

type Needs = SealNeeds & AgentLock & { readonly secrets: Pick<Secrets, 'seal' | 'digest'> }

/** Each change is one transaction. A row with a wrong seal is left out of lists, and refused by its id. */
export function sqlApprovals(needs: Needs): Approvals {
  const { db, secrets } = needs
  return {
    ask: (agentNo, approval, { mostWaiting, notice }) =>
      withAgentLocked(needs, agentNo, async (transaction) => {
        const usable = await selectUsable(transaction, needs, agentNo, approval.createdAt)
        const same = usable.find(({ wish }) => wish.hash === approval.wish.hash)
        if (same) return same
        if (usable.filter(({ state }) => state === 'waiting').length >= mostWaiting) return undefined
        const added = await insertApproval(transaction, secrets, agentNo, approval)
        const mail = notice(toAgent(await agentOf(transaction, agentNo)))
        if (mail) await queueNotice(transaction, secrets, mail, approval.createdAt)
        return added
      }),
    async find(agentNo, id) {
      const row = await findApproval(db, needs, agentNo, id)
      return row && toApproval(row)
    },
    async list(scope, agentId, page) {
      const agent = await findAgent(db, scope, agentId)
      return agent && listNewest(db, needs, agent.no, page)
    },
    async read(scope, agentId, id) {
      const agent = await findAgent(db, scope, agentId)
      if (!agent) return { kind: 'no_agent' }
      const row = await findApproval(db, needs, agent.no, id)
      if (row) return { kind: 'found', approval: toApproval(row) }
      return { kind: 'no_approval', movedTo: await holderOf(db, scope, id) }
    },
    listByState: (scope, page) => listByState(db, needs, scope, page),
    async decide(scope, agentId, id, decision, record) {
      const known = await findAgent(db, scope, agentId)
      if (!known) return { kind: 'no_agent' }
      return withAgentLocked(needs, known.no, async (transaction, revision) => {
        const agent = await findAgent(transaction, scope, agentId)
        if (!agent) return { kind: 'no_agent' }
        // An agent with approvals has a policy, unless it is revoked.
        const isRevoked = revision === undefined
        const row = await findApproval(transaction, needs, agent.no, id)
        if (!row) return { kind: 'no_approval', movedTo: await holderOf(transaction, scope, id) }
        const found = toApproval(row)
        if (isRevoked && decision.state === 'approved') return { kind: 'revoked' }
        if (found.state === decision.state) return { kind: 'decided', approval: found }
        if (!mayBecome(found, decision)) return { kind: 'settled', approval: found }
        const approval = await writeDecision(transaction, secrets, row, decision)
        await recordAndNotify(transaction, secrets, toAgent(agent), record, { approval: id })
        return { kind: 'decided', approval }
      })
    },
  }
}

/** An approved transaction may still be refused; any other decision is final. */
const mayBecome = ({ state, createdAt, expiresAt }: Approval, decision: Decision): boolean =>
  decision.at < expiresAt &&
  createdAt <= decision.at + CLOCK_STEP_MS &&
  (state === 'waiting' || (state === 'approved' && decision.state === 'refused'))

async function agentOf(transaction: Transaction<Schema>, agentNo: number) {
  const agent = await transaction
    .selectFrom('agents')
    .selectAll()
    .where('no', '=', agentNo)
    .executeTakeFirstOrThrow()
  return { ...agent, last_used_at: null }
}
