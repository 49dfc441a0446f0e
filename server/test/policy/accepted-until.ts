import { MINUTE_MS } from '../../src/durations.ts'

/** Epochs of the sandbox begin at every full ten minutes of the tests' clock. */
const EPOCH_MS = 10 * MINUTE_MS

type Built = {
  readonly epoch: number
  readonly intent: { readonly issuedAt: string; readonly expiresEpoch: number | null }
}

/** End of the last epoch in which the chain accepts the transaction. */
export const acceptedUntil = ({ epoch, intent }: Built): number =>
  (Math.floor(Date.parse(intent.issuedAt) / EPOCH_MS) + (intent.expiresEpoch ?? 0) + 1 - epoch) * EPOCH_MS

/** Settling time: this long after the chain's last chance, an executed transaction is visible. */
const SEEN_MS = 5 * MINUTE_MS

export const settlesAt = (built: Built): number => acceptedUntil(built) + SEEN_MS

/** Upper bound from build to `settlesAt`: the chain accepts a transaction in the present epoch and in the next one. */
export const MAX_SETTLING_MS = 2 * EPOCH_MS + SEEN_MS
