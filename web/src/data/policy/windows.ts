import type { Reply } from '@stakewright/client'
import type { Policy, PolicyRule, RuleOf, Window } from './rules.ts'

export type Reservation = Reply<'listReservations'>['data'][number]
type WindowRule = RuleOf<'maxPerWindow'>

/** The present time and epoch. */
export type Moment = {
  readonly now: number
  readonly epoch: { readonly epoch: number; readonly endTimestampMs: number }
}

/** A limit per window and how much of it is used. */
export type WindowUse = {
  readonly rule: WindowRule
  /** Until when the limit holds, if it belongs to an earlier revision. */
  readonly until: string | undefined
  readonly used: bigint
  /** Below zero: the limit was lowered after this was built. */
  readonly left: bigint
  /** When the next amount stops counting by itself. */
  readonly next: { readonly at: number; readonly amount: bigint } | undefined
}

const HOUR_MS = 3_600_000
const LENGTHS = { hour: HOUR_MS, day: 24 * HOUR_MS, '30days': 720 * HOUR_MS } as const

const RESERVING: readonly PolicyRule['rule'][] = [
  'maxPerTx',
  'maxPerWindow',
  'approvalAbove',
  'maxShare',
  'minValidators',
]

const rulesInForce = ({ rules, beside }: Policy): readonly PolicyRule[] => [
  ...rules,
  ...beside.flatMap((one) => one.rules),
]

/** Whether builds are reserved under this policy. */
export const isReserving = (policy: Policy): boolean =>
  rulesInForce(policy).some(({ rule }) => RESERVING.includes(rule))

const isWindowRule = (rule: PolicyRule): rule is WindowRule => rule.rule === 'maxPerWindow'

/** The limits per window in force; those of earlier revisions only if the newest revision has no equal limit. */
function windowsInForce({ rules, beside }: Policy): readonly Pick<WindowUse, 'rule' | 'until'>[] {
  const all = [
    ...rules.filter(isWindowRule).map((rule) => ({ rule, until: undefined })),
    ...beside.flatMap(({ rules: earlier, until }) =>
      earlier.filter(isWindowRule).map((rule) => ({ rule, until })),
    ),
  ]
  const textOf = ({ amount, window, actions }: WindowRule) => JSON.stringify([amount, window, actions])
  return [...new Map(all.toReversed().map((one) => [textOf(one.rule), one])).values()].toReversed()
}

/** The amount of a reservation that these actions move. */
export const movedBy = (
  { items }: Pick<Reservation, 'items'>,
  actions: readonly (WindowRule['actions'][number] | 'join')[],
): bigint =>
  items.reduce((sum, { action, amount }) => (actions.includes(action) ? sum + BigInt(amount) : sum), 0n)

/** When a reservation leaves this window; `undefined` if it has. */
function leavesAt(
  window: Window,
  { builtAt, epoch }: Reservation,
  { now, epoch: present }: Moment,
): number | undefined {
  if (window === 'epoch') return epoch >= present.epoch ? present.endTimestampMs : undefined
  const at = Date.parse(builtAt) + LENGTHS[window]
  return at > now ? at : undefined
}

/** How much each limit per window has left. */
export const windowUses = (
  policy: Policy,
  reservations: readonly Reservation[],
  moment: Moment,
): readonly WindowUse[] =>
  windowsInForce(policy).map(({ rule, until }) => {
    const counted = reservations.flatMap((one) => {
      const [at, amount] = [leavesAt(rule.window, one, moment), movedBy(one, rule.actions)]
      return at === undefined || amount === 0n ? [] : [{ at, amount }]
    })
    const used = counted.reduce((sum, { amount }) => sum + amount, 0n)
    const first = Math.min(...counted.map(({ at }) => at))
    const leaving = counted.reduce((sum, { at, amount }) => (at === first ? sum + amount : sum), 0n)
    return {
      rule,
      until,
      used,
      left: BigInt(rule.amount) - used,
      next: counted.length === 0 ? undefined : { at: first, amount: leaving },
    }
  })

/** A window that a reservation counts in, with how much and until when. */
export type Counting = { readonly window: Window; readonly amount: bigint; readonly until: number }

/** The windows in which a reservation counts, each once. */
export function countsIn(policy: Policy, one: Reservation, moment: Moment): readonly Counting[] {
  const found = windowsInForce(policy).flatMap(({ rule }): readonly Counting[] => {
    const [until, amount] = [leavesAt(rule.window, one, moment), movedBy(one, rule.actions)]
    return until === undefined || amount === 0n ? [] : [{ window: rule.window, amount, until }]
  })
  return [...new Map(found.map((each) => [each.window, each])).values()]
}

/** The chain executes a transaction until the end of the epoch after the one in which it was built. */
export const lastEpochOf = ({ epoch }: Reservation): number => epoch + 1

/** Whether it matters to the policy: it counts in a window, or may still be executed. */
export const isRelevant = (policy: Policy, one: Reservation, moment: Moment): boolean =>
  countsIn(policy, one, moment).length > 0 ||
  (one.state !== 'carriedOut' && lastEpochOf(one) >= moment.epoch.epoch)
