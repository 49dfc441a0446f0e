import type { Digest } from '#ports/digest.ts'
import type { ApprovalReason, ApprovalWish } from '#ports/stores/approvals.ts'
import type { PolicyRevision } from '#ports/stores/policies.ts'
import { canonicalJson } from '../../canonical-json.ts'
import { movedBy } from '../window-rules.ts'
import type { Wish } from '../wish.ts'

/** Why the wish needs the owner: it moves more than a revision lets through unseen. Of several, the strictest says so. */
export function whyApproval(
  held: readonly Pick<PolicyRevision, 'revision' | 'document'>[],
  { items }: Wish,
): ApprovalReason | undefined {
  const reasons = held.flatMap(({ revision, document }) =>
    document.rules.flatMap((rule): readonly ApprovalReason[] => {
      if (rule.rule !== 'approvalAbove') return []
      const [limit, actual] = [BigInt(rule.amount), movedBy(items, rule.actions)]
      return actual > limit ? [{ rule: rule.rule, revision, limit, actual }] : []
    }),
  )
  return reasons.toSorted((a, b) => (a.limit < b.limit ? -1 : 1))[0]
}

/** What an owner approves of: what would be done, as the plan has found it, and not how it was asked for. */
export function toApprovalWish(digest: Digest, { network, sender, items }: Wish): ApprovalWish {
  const wished = items.map(({ action, validatorId, amount, token, joinedIds }) => ({
    action,
    validatorId,
    amount,
    stakedTokenId: token?.id,
    ...(joinedIds && { joinedIds }),
  }))
  const shown = { network, sender: sender ?? null, items: wished.map(toShownItem) }
  return { network, sender, items: wished, hash: digest(canonicalJson(shown)) }
}

/** An item as the API shows it, and as it is hashed: whoever reads it there can make the same hash. */
export const toShownItem = ({
  amount,
  stakedTokenId,
  joinedIds,
  ...item
}: ApprovalWish['items'][number]) => ({
  ...item,
  ...(joinedIds && { joinedIds: [...joinedIds] }),
  amount: String(amount),
  stakedTokenId: stakedTokenId ?? null,
})
