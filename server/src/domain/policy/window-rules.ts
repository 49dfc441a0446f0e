import type { PolicyRule, RuleOf } from '#ports/stores/policies.ts'
import type { Span } from '#ports/stores/reservations.ts'
import { HOUR_MS } from '../../durations.ts'
import type { Facts, Found, WindowName, Wish } from './wish.ts'

/** Rules about amounts per time, in sliding windows. */

type WindowRule = RuleOf<'maxPerWindow'>

export const WINDOW_LENGTHS = { hour: HOUR_MS, day: 24 * HOUR_MS, '30days': 720 * HOUR_MS } as const

/** Longer than any window. */
export const RESERVATIONS_KEPT_DAYS = 40

export const isWindowRule = (rule: PolicyRule): rule is WindowRule => rule.rule === 'maxPerWindow'

export function brokenByWindow(
  rule: WindowRule,
  wish: Wish,
  { used: usedIn, roomAt }: Facts,
): readonly Found[] {
  const { window, actions } = rule
  const limit = BigInt(rule.amount)
  const wanted = movedBy(wish.items, actions)
  const moved = usedIn(window)
  const used = [...new Set(actions)].reduce((sum, action) => sum + moved[action], 0n)
  if (wanted === 0n || used + wanted <= limit) return []
  return [
    {
      limit: `${limit} per ${window}`,
      actual: `${used + wanted}, of which ${used} is already reserved`,
      clearsAt: wanted > limit ? undefined : roomAt(window, actions, used + wanted - limit),
    },
  ]
}

/** The time span of these windows. */
export function spansOf(
  rules: readonly WindowRule[],
  { now, epoch }: { readonly now: number; readonly epoch: number },
): Readonly<Record<string, Span>> {
  const windows = new Set(rules.map(({ window }) => window))
  return Object.fromEntries([...windows].map((window) => [window, spanOf(window, { now, epoch })]))
}

const spanOf = (
  window: WindowName,
  { now, epoch }: { readonly now: number; readonly epoch: number },
): Span => (window === 'epoch' ? { epoch } : { since: now - WINDOW_LENGTHS[window] })

type Moved = { readonly action: string; readonly amount: bigint }

/** The sum of the amounts that these actions move, over all items. */
export const movedBy = (items: readonly Moved[], actions: readonly string[]): bigint =>
  items.reduce((sum, { action, amount }) => (actions.includes(action) ? sum + amount : sum), 0n)
