import type { Digest } from '#ports/digest.ts'
import type { ApprovalWish } from '#ports/stores/approvals.ts'
import type { PolicyRule } from '#ports/stores/policies.ts'
import { canonicalJson } from '../../canonical-json.ts'
import { movedBy } from '../window-rules.ts'
import type { Wish } from '../wish.ts'

/** Whether the wish moves more than the owner lets through unseen. */
export const needsApproval = (rules: readonly PolicyRule[], { items }: Wish): boolean =>
  rules.some((rule) => rule.rule === 'approvalAbove' && movedBy(items, rule.actions) > BigInt(rule.amount))

/** What an owner approves of: what would be done, as the plan has found it, and not how it was asked for. */
export function toApprovalWish(digest: Digest, { network, sender, items }: Wish): ApprovalWish {
  const wished = items.map(({ action, validatorId, amount, token }) => ({
    action,
    validatorId,
    amount,
    stakedTokenId: token?.id,
  }))
  const shown = { network, sender: sender ?? null, items: wished.map(toShownItem) }
  return { network, sender, items: wished, hash: digest(canonicalJson(shown)) }
}

/** An item as the API shows it, and as it is hashed: whoever reads it there can make the same hash. */
export const toShownItem = ({ amount, stakedTokenId, ...item }: ApprovalWish['items'][number]) => ({
  ...item,
  amount: String(amount),
  stakedTokenId: stakedTokenId ?? null,
})
