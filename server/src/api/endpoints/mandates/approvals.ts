import type { Reply } from '@stakewright/contract'
import { toShownItem } from '#domain/policy/approvals/approval-wish.ts'
import {
  type ApprovalNow,
  decideApproval,
  listApprovals,
  listByState,
  readApproval,
} from '#domain/policy/approvals/manage-approvals.ts'
import type { User } from '#ports/stores/users.ts'
import { toIso } from '../../../basics/iso-time.ts'
import type { TokenUnit } from '../../../networks.ts'
import type { Endpoints } from '../../endpoint.ts'
import { storeCursor } from '../../lists/store-cursor.ts'
import { managerOf } from '../identity/managed-call.ts'
import { toIsoOrNull } from '../shapes.ts'
import { toDecidingUser } from './deciding-user.ts'

const STATE_OF = { approve: 'approved', refuse: 'refused' } as const

/** Approvals: builds that wait for the decision of the agent's owner. */
export function approvalEndpoints(needs: Parameters<typeof decideApproval>[0], token: TokenUnit) {
  const list = listApprovals(needs)
  const byState = listByState(needs)
  const read = readApproval(needs)
  const decide = decideApproval(needs)
  return {
    listApprovals: {
      handle: async (input, { caller }) => {
        const cursor = storeCursor('listApprovals', input)
        const page = { cursor: cursor.place, limit: input.limit }
        const { approvals, next } = await list(caller, input.id, page)
        const data = approvals.map((approval) => toApproval(approval, caller.user))
        return { reply: { success: true, data, nextCursor: cursor.at(next), ...token } }
      },
    },
    waitingApprovals: {
      handle: async (input, { caller }) => {
        const cursor = storeCursor('waitingApprovals', input)
        const { state, all, limit } = input
        const { approvals, next } = await byState(caller, { state, all, cursor: cursor.place, limit })
        const data = approvals.map((approval) => ({
          ...toApproval(approval, caller.user),
          agentId: approval.agent.id,
          agentName: approval.agent.name,
        }))
        return { reply: { success: true, data, nextCursor: cursor.at(next), ...token } }
      },
    },
    readApproval: {
      handle: async ({ id, approvalId }, { caller }) => ({
        reply: { success: true, data: toApproval(await read(caller, id, approvalId), caller.user), ...token },
      }),
    },
    decideApproval: {
      handle: async ({ id, approvalId, decision }, call) => {
        call.note({ agentId: id })
        const decided = await decide(managerOf(call), id, approvalId, STATE_OF[decision])
        return { reply: { success: true, data: toApproval(decided, call.caller.user), ...token } }
      },
    },
  } satisfies Endpoints
}

function toApproval(approval: ApprovalNow, viewer: User): Reply<'decideApproval'>['data'] {
  const { id, state, wish, reason, createdAt, expiresAt, decision, intentId } = approval
  return {
    approvalId: id,
    state,
    network: wish.network,
    sender: wish.sender ?? null,
    items: wish.items.map(toShownItem),
    amount: String(
      wish.items.reduce((sum, { action, amount }) => (action === 'join' ? sum : sum + amount), 0n),
    ),
    reason: { ...reason, limit: String(reason.limit), actual: String(reason.actual) },
    wishHash: wish.hash,
    createdAt: toIso(createdAt),
    expiresAt: toIso(expiresAt),
    decidedAt: toIsoOrNull(decision?.at),
    decidedBy: decision ? toDecidingUser(decision.by, viewer) : null,
    intentId: intentId ?? null,
  }
}
