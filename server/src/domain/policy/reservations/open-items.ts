import type { Facts, Found, Wish } from '../wish.ts'

/**
 * The time to check a build grows with the items of all builds that may still be executed, and during a check the
 * service answers nobody else. So their number is limited: a hundred of the largest batches.
 */
export const MOST_OPEN_ITEMS = 5_000

/**
 * The refusal of a build when open builds have too many items. Builds that are not checked against open builds are
 * never refused.
 */
export function brokenByOpenItems(
  { items }: Wish,
  { built, now }: Pick<Facts, 'built' | 'now'>,
  settlingMs: number,
): readonly Found[] {
  const open = built
    .filter(({ isSeen }) => !isSeen)
    .map((one) => ({ settlesAt: one.expiresAt + settlingMs, count: one.items.length }))
    .filter(({ settlesAt }) => settlesAt > now)
  const all = open.reduce((sum, { count }) => sum + count, items.length)
  if (all <= MOST_OPEN_ITEMS) return []
  let left = all
  const clearing = open
    .toSorted((one, other) => one.settlesAt - other.settlesAt)
    .find(({ count }) => {
      left -= count
      return left <= MOST_OPEN_ITEMS
    })
  return [
    {
      field: 'policy',
      rule: 'openItems',
      limit: `${MOST_OPEN_ITEMS} items in transactions that may still be executed`,
      actual: `${all} with this one: execute some that were built, or release them`,
      clearsAt: clearing?.settlesAt,
    },
  ]
}
