import type { RuleOf } from '#ports/stores/policies.ts'
import { ratioOf } from '../../staking/stake-limits.ts'
import { receivedBy, unseenBuilds } from '../unseen-builds.ts'
import type { Facts, Found, Wish } from '../wish.ts'
import { type Amounts, changed, changesIn, changesStake, heldIn, sumOf } from './amounts.ts'
import { expiriesOf, foundWithClearTime, unknownHoldings } from './pending-breach.ts'
import { isRaised, type Part, type PendingEffects, pendingEffects, type Ratio } from './pending-effects.ts'

/**
 * No validator that receives stake may exceed its share of the sender's stake, in whatever order this and the pending
 * transactions are executed. So an unstake elsewhere is also checked against stakes that may still come.
 */
export function brokenByShare({ share }: RuleOf<'maxShare'>, wish: Wish, facts: Facts): readonly Found[] {
  if (!changesStake(wish)) return []
  const limit = String(share)
  const { tokens } = facts
  if (!tokens) return [unknownHoldings(limit)]
  if (share >= 1) return []
  const unseen = unseenBuilds(wish, { ...facts, tokens })
  const ratio = ratioOf(share)
  const largest = largestParts(wish, { held: heldIn(tokens), ratio, pending: pendingEffects(unseen, ratio) })
  const expiries = expiriesOf(unseen)
  const ids = new Set([...receivedBy(wish.items), ...unseen.flatMap(({ receiving }) => [...receiving])])
  return [...ids].flatMap((id) => {
    const found = largest(id, Number.NEGATIVE_INFINITY)
    if (!found) return []
    const part = found.amount < found.total ? decimalAbove(found) : '1'
    return [
      foundWithClearTime(
        limit,
        `${part} with ${id}`,
        expiries,
        (moment) => largest(id, moment) !== undefined,
      ),
    ]
  })
}

/**
 * A fraction below 1 as a decimal, rounded up, so that the text exceeds its limit, too: six digits, or as many as are
 * needed to show that it is below 1.
 */
function decimalAbove({ amount, total }: Part): string {
  const rounded = (digits: number) => (amount * 10n ** BigInt(digits) + total - 1n) / total
  let digits = 6
  while (rounded(digits) >= 10n ** BigInt(digits)) digits += 1
  return `0.${String(rounded(digits)).padStart(digits, '0').replace(/0+$/, '')}`
}

type Together = {
  readonly held: Amounts
  readonly ratio: Ratio
  readonly pending: PendingEffects
}

/**
 * The validator's share above the limit after the wish and the pending transactions that expire after the moment, in
 * the worst case: for the wish's stakes, or for each stake it makes worse. Undefined: the limit is kept.
 */
function largestParts(
  wish: Wish,
  { held, ratio, pending }: Together,
): (id: string, moment: number) => Part | undefined {
  const changes = changesIn(wish)
  const byWish = sumOf(changes)
  const receiving = receivedBy(wish.items)
  const after = changed(held, changes)
  const all = sumOf(after)
  // The limit is rounded up to a whole smallest unit.
  const isOver = ({ amount, total }: Part) => (amount - 1n) * ratio.under >= total * ratio.over
  return (id, moment) => {
    const isReceiving = receiving.has(id)
    if (!isReceiving && !isRaised({ amount: changes.get(id) ?? 0n, total: byWish }, ratio)) return undefined
    const { raising, stakes } = pending(id, moment)
    const worst = plus({ amount: after.get(id) ?? 0n, total: all }, raising)
    if (isReceiving) return isOver(worst) ? worst : undefined
    return stakes.map((stake) => (stake.raises ? worst : plus(worst, stake))).find(isOver)
  }
}

const plus = (one: Part, other: Part): Part => ({
  amount: one.amount + other.amount,
  total: one.total + other.total,
})
