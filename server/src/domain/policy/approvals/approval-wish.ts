import type { TokenInfo } from '#ports/chain/staking-chain.ts'
import type { Digest } from '#ports/digest.ts'
import type { ApprovalReason, ApprovalWish } from '#ports/stores/approvals.ts'
import type { PolicyRevision } from '#ports/stores/policies.ts'
import { printAmount } from '../../amount.ts'
import { canonicalJson } from '../../canonical-json.ts'
import { compare } from '../../compare.ts'
import { movedBy } from '../window-rules.ts'
import type { Wish } from '../wish.ts'

/**
 * Why the wish needs the owner's approval: it exceeds `approvalAbove` of a revision in force. Of several, the
 * strictest.
 */
export function approvalReasonOf(
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
  return reasons.toSorted((a, b) => compare(a.limit, b.limit))[0]
}

/** The content of an approval: the effects of the plan, not the request. */
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

/** An item in the form that the API shows and that is hashed, so that a reader can compute the same hash. */
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

/** More items than this are counted instead of listed. */
const MAX_DESCRIBED = 5

/** Describes the wish in a mail to the owner. */
export function describeWish({ network, sender, items }: Wish, token: TokenInfo): string {
  const descriptions = items
    .slice(0, MAX_DESCRIBED)
    .map(
      ({ action, validatorId, amount }) =>
        `${action} ${printAmount(amount, token.decimals, token.symbol)} ${action === 'stake' ? 'with' : 'at'} validator ${validatorId}`,
    )
  const more = items.length > MAX_DESCRIBED ? [`${items.length - MAX_DESCRIBED} more`] : []
  const from = sender === undefined ? 'an address that it does not name' : sender
  return `${[...descriptions, ...more].join('; ')}; on ${network}, from ${from}`
}
