import { StakewrightError } from '@stakewright/client'

/** Whether the outcome is unknown: no answer, or one (503, 504) after which the call may have been done. */
export const isCut = (error: unknown): boolean =>
  error instanceof StakewrightError &&
  (error.code === 'unreachable' || error.status === 503 || error.status === 504)
