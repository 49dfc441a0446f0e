import type { RuleOf } from '#ports/stores/policies.ts'
import { ratioOf } from '../../staking/stake-limits.ts'
import { receivedBy, type Unseen, unseenBuilds } from '../unseen-builds.ts'
import type { Facts, Found, Wish } from '../wish.ts'
import { type Amounts, changed, changesIn, changesStake, heldIn, sumOf } from './amounts.ts'
import { foundWithClearTime, unknownHoldings } from './pending-breach.ts'

/**
 * No validator that receives stake may exceed its share of the sender's stake, in whatever order this and the pending
 * transactions are executed. So an unstake elsewhere is also checked against stakes that may still come.
 */
export function brokenByShare({ share }: RuleOf<'maxShare'>, wish: Wish, facts: Facts): readonly Found[] {
  if (!changesStake(wish)) return []
  const limit = String(share)
  const { tokens } = facts
  if (!tokens) return [unknownHoldings(limit)]
  const unseen = unseenBuilds(wish, { ...facts, tokens })
  const after = changed(heldIn(tokens), changesIn(wish))
  const { over, under } = ratioOf(share)
  // The limit is rounded up to a whole smallest unit.
  const isOver = ({ amount, total }: Part) => share < 1 && (amount - 1n) * under >= total * over
  const largest = (id: string, open: readonly Unseen[]) =>
    worstCases(id, { share, wish, open })
      .map((worst) => partOf(id, after, worst))
      .find(isOver)
  const ids = new Set([...receivedBy(wish.items), ...unseen.flatMap(({ receiving }) => [...receiving])])
  return [...ids].flatMap((id) => {
    const found = largest(id, unseen)
    if (!found) return []
    const part = found.amount < found.total ? decimalAbove(found) : '1'
    return [
      foundWithClearTime(limit, `${part} with ${id}`, unseen, (open) => largest(id, open) !== undefined),
    ]
  })
}

type Part = { readonly amount: bigint; readonly total: bigint }

/**
 * The validator's share after all of these. Rival transactions, of which the chain executes only one, are all counted:
 * each of them raises the share, so the result is an upper bound.
 */
function partOf(id: string, held: Amounts, worst: readonly Unseen[]): Part {
  const all = [held, ...worst.map(({ changes }) => changes)]
  return {
    amount: all.reduce((sum, amounts) => sum + (amounts.get(id) ?? 0n), 0n),
    total: all.reduce((sum, amounts) => sum + sumOf(amounts), 0n),
  }
}

/**
 * A part below 1 in decimals, rounded up, so that it shows above its limit: six digits, or as many as show that it
 * is below 1.
 */
function decimalAbove({ amount, total }: Part): string {
  const rounded = (digits: number) => (amount * 10n ** BigInt(digits) + total - 1n) / total
  let digits = 6
  while (rounded(digits) >= 10n ** BigInt(digits)) digits += 1
  return `0.${String(rounded(digits)).padStart(digits, '0').replace(/0+$/, '')}`
}

type Together = { readonly share: number; readonly wish: Wish; readonly open: readonly Unseen[] }

/**
 * The sets of pending transactions that maximise the share: for the wish's stakes, or for each stake it makes
 * worse.
 */
function worstCases(id: string, { share, wish, open }: Together): readonly (readonly Unseen[])[] {
  const { over, under } = ratioOf(share)
  // Pending transactions that raise the validator's share.
  const raises = (changes: Amounts) => (changes.get(id) ?? 0n) * under > sumOf(changes) * over
  const raising = open.filter(({ changes }) => raises(changes))
  if (receivedBy(wish.items).has(id)) return [raising]
  if (!raises(changesIn(wish))) return []
  return open.filter(({ receiving }) => receiving.has(id)).map((stake) => [...new Set([stake, ...raising])])
}
