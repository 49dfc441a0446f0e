import type { Approval } from '#ports/stores/approvals.ts'

export type ApprovalState = Approval['state'] | 'expired'

/** What could still be decided or used has expired once its time is over. */
export const approvalState = ({ state, expiresAt }: Approval, now: number): ApprovalState =>
  now >= expiresAt && (state === 'waiting' || state === 'approved') ? 'expired' : state
