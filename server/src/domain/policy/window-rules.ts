import type { PolicyRule } from '#ports/stores/policies.ts'
import type { CountedPart, Reservation } from '#ports/stores/reservations.ts'
import { HOUR_MS } from '../../durations.ts'
import type { Facts, Found, Wish } from './wish.ts'

/** Rules about how much within a time. The window slides: what was built within this time before now counts. */

type WindowRule = Extract<PolicyRule, { rule: 'maxPerWindow' }>

const LENGTHS = { hour: HOUR_MS, day: 24 * HOUR_MS, '30days': 720 * HOUR_MS } as const

/** Longer than any window: what is older counts nowhere. */
export const RESERVATIONS_KEPT_DAYS = 40

export const isWindowRule = (rule: PolicyRule): rule is WindowRule => rule.rule === 'maxPerWindow'

export function brokenByWindow(rule: WindowRule, wish: Wish, { now, epoch, built }: Facts): readonly Found[] {
  const limit = BigInt(rule.amount)
  const wanted = movedBy(wish.items, rule.actions)
  const counted = built.filter(({ at, epoch: madeIn }) =>
    rule.window === 'epoch' ? madeIn >= epoch.number : at > now - LENGTHS[rule.window],
  )
  const used = counted.reduce((sum, { items }) => sum + movedBy(items, rule.actions), 0n)
  if (wanted === 0n || used + wanted <= limit) return []
  return [
    {
      limit: `${limit} per ${rule.window}`,
      actual: `${used + wanted}, of which ${used} is built already`,
      clearsAt: wanted > limit ? undefined : clearing(rule, counted, used + wanted - limit, epoch.endsAt),
    },
  ]
}

/** When so much of what counts has left the window that the wish fits. */
function clearing(
  rule: WindowRule,
  counted: readonly Reservation[],
  excess: bigint,
  epochEndsAt: number,
): number {
  if (rule.window === 'epoch') return epochEndsAt
  let leaves = 0n
  for (const { at, items } of counted) {
    leaves += movedBy(items, rule.actions)
    if (leaves >= excess) return at + LENGTHS[rule.window]
  }
  return epochEndsAt
}

/** What has to be read to judge by these rules. */
export function countedPart(
  rules: readonly WindowRule[],
  { now, epoch, atLeastMs }: { readonly now: number; readonly epoch: number; readonly atLeastMs: number },
): CountedPart {
  const lengths = rules.map(({ window }) => (window === 'epoch' ? 0 : LENGTHS[window]))
  return { since: now - Math.max(atLeastMs, ...lengths), epoch }
}

type Moved = { readonly action: string; readonly amount: bigint }

/** What these actions move, all items together. */
export const movedBy = (items: readonly Moved[], actions: readonly string[]): bigint =>
  items.reduce((sum, { action, amount }) => (actions.includes(action) ? sum + amount : sum), 0n)
