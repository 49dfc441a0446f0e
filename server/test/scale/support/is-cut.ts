import { StakewrightError } from '@stakewright/client'

/** Whether there was no answer, or one of a busy store: the call was done or not. */
export const isCut = (error: unknown): boolean =>
  error instanceof StakewrightError &&
  (error.code === 'unreachable' || error.status === 503 || error.status === 504)
