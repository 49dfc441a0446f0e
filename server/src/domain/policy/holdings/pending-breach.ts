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

/** The moments at which pending transactions expire, ascending. */
export const expiriesOf = (unseen: readonly Unseen[]): readonly number[] =>
  [...new Set(unseen.map(({ settlesAt }) => settlesAt))].toSorted((one, other) => one - other)

/** The rule is broken beside the pending transactions that expire after the moment. */
type IsBrokenAfter = (moment: number) => boolean

/**
 * The breach. `clearsAt` is the first time at which enough pending transactions have expired for the rule to hold.
 */
export function foundWithClearTime(
  limit: string,
  actual: string,
  expiries: readonly number[],
  isBrokenAfter: IsBrokenAfter,
): Found {
  if (isBrokenAfter(Number.POSITIVE_INFINITY)) return { limit, actual, clearsAt: undefined }
  const clearsAt = firstThatClears(expiries, isBrokenAfter)
  return { limit, actual: `${actual}, with what was built and is not on the chain yet`, clearsAt }
}

/**
 * A binary search: an order that breaks a rule beside some pending transactions is also possible beside more of them,
 * so once the rule holds, it holds after every later expiry.
 */
function firstThatClears(expiries: readonly number[], isBrokenAfter: IsBrokenAfter): number | undefined {
  let [first, last] = [0, expiries.length]
  while (first < last) {
    const middle = Math.floor((first + last) / 2)
    if (isBrokenAfter(expiries[middle] ?? Number.POSITIVE_INFINITY)) first = middle + 1
    else last = middle
  }
  return expiries[first]
}
