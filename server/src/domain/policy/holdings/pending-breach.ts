import type { Unseen } from '../unseen-builds.ts'
import type { Found } from '../wish.ts'

/**
 * Rules about holdings must hold for every outcome and order of the pending transactions (built, not on the chain yet)
 * and the new one: each may be executed or not, the new one before, between or after them.
 */

export const unknownHoldings = (limit: string): Found => ({
  limit,
  actual: 'unknown: send `sender`',
  field: 'sender',
  clearsAt: undefined,
})

/**
 * The breach. `clearsAt` is the first time at which enough pending transactions have expired for the rule to hold.
 */
export function foundWithClearTime(
  limit: string,
  actual: string,
  unseen: readonly Unseen[],
  isBroken: (open: readonly Unseen[]) => boolean,
): Found {
  if (isBroken([])) return { limit, actual, clearsAt: undefined }
  const clearsAt = unseen
    .map(({ settlesAt }) => settlesAt)
    .toSorted((one, other) => one - other)
    .find((moment) => !isBroken(unseen.filter(({ settlesAt }) => settlesAt > moment)))
  return { limit, actual: `${actual}, with what was built and is not on the chain yet`, clearsAt }
}
