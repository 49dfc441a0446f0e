import type { Approval } from '#ports/stores/approvals.ts'
import { CLOCK_STEP_MS } from '../../../durations.ts'

export type ApprovalState = Approval['state'] | 'expired'

/**
 * Undecided and unused approvals expire. One dated ahead of now by a wrong clock has no known age and counts as
 * expired.
 */
export const approvalState = ({ state, createdAt, expiresAt }: Approval, now: number): ApprovalState => {
  const isOver = now >= expiresAt || createdAt > now + CLOCK_STEP_MS
  return isOver && (state === 'waiting' || state === 'approved') ? 'expired' : state
}
