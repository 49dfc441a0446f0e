import type {
  Approval,
  ApprovalItem,
  ApprovalReason,
  ApprovalWish,
  NewApproval,
} from '#ports/stores/approvals.ts'
import { STAKING_ACTIONS } from '../../../../basics/staking-actions.ts'
import { amount, listOf, number, object, oneOf, optional, text, writeJson } from '../../stored-shape.ts'
import type { ApprovalRow } from './approval-seal.ts'

type StoredWish = Omit<ApprovalWish, 'hash'>

const readState = oneOf(['waiting', 'approved', 'refused', 'used'])
const readRole = oneOf(['user', 'admin'])
const readWish = object<StoredWish>({
  network: text,
  sender: optional(text),
  items: listOf<ApprovalItem>(
    object<ApprovalItem>({
      action: oneOf(STAKING_ACTIONS),
      validatorId: text,
      amount,
      stakedTokenId: optional(text),
      joinedIds: optional(listOf(text)),
    }),
  ),
})
const readReason = object<ApprovalReason>({
  rule: oneOf(['approvalAbove']),
  revision: number,
  limit: amount,
  actual: amount,
})

export function toApproval(row: ApprovalRow): Approval {
  const { decided_at: at, decided_by: id, decided_role: role } = row
  return {
    id: row.id,
    no: row.no,
    wish: { ...readWish(JSON.parse(row.wish), 'approvals.wish'), hash: row.wish_hash },
    reason: readReason(JSON.parse(row.reason), 'approvals.reason'),
    state: readState(row.state, 'approvals.state'),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    decision:
      at === null || id === null
        ? undefined
        : { at, by: { id, role: readRole(role, 'approvals.decided_role') } },
    intentId: row.intent_id ?? undefined,
  }
}

export function toRow(
  agentNo: number,
  no: number,
  { id, wish: { hash, ...wish }, reason, createdAt, expiresAt }: NewApproval,
): Omit<ApprovalRow, 'mac'> {
  return {
    id,
    agent_no: agentNo,
    no,
    wish_hash: hash,
    wish: writeJson(wish),
    reason: writeJson(reason),
    state: 'waiting',
    created_at: createdAt,
    expires_at: expiresAt,
    decided_at: null,
    decided_by: null,
    decided_role: null,
    intent_id: null,
  }
}
