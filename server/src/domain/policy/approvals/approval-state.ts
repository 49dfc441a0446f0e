import type { Approval } from '#ports/stores/approvals.ts'
import { CLOCK_STEP_MS } from '../../../durations.ts'

export type ApprovalState = Approval['state'] | 'expired'

/**
 * What could still be decided or used has expired once its time is over. One that a wrong clock has dated ahead of now
 * has no known age, and has expired, too.
 */
export const approvalState = ({ state, createdAt, expiresAt }: Approval, now: number): ApprovalState => {
  const isOver = now >= expiresAt || createdAt > now + CLOCK_STEP_MS
  return isOver && (state === 'waiting' || state === 'approved') ? 'expired' : state
}
