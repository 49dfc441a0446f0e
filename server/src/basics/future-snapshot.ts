/** How far the chain's time may be ahead of the local clock. */
export const CLOCK_TOLERANCE_MS = 60_000

type Dated = { readonly checkpointAt: number }

const isDatedInFuture = ({ checkpointAt }: Dated, now: number): boolean =>
  checkpointAt > now + CLOCK_TOLERANCE_MS

/**
 * Whether `present` is dated in the future and `next` is not. Such a snapshot was accepted while the local clock was
 * ahead, and its checkpoint can be higher than any that the chain has reached: a snapshot with a lower checkpoint
 * replaces it, in the view and in the store.
 */
export const replacesFuture = (next: Dated, present: Dated, now: number): boolean =>
  isDatedInFuture(present, now) && !isDatedInFuture(next, now)
