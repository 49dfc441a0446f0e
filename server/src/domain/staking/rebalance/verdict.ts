import { printPercent } from '../../percent.ts'
import { type Moves, STAY } from './flows.ts'
import type { Outcome } from './outcome.ts'
import type { SwitchingCost } from './switching-rules.ts'

/** The smallest gain for which stake moves, per year and unit of the whole stake, after costs: 2 bps. */
const MIN_GAIN = 0.0002

export type Verdict = {
  readonly recommendation: 'move' | 'hold'
  readonly reason: string
  readonly moves: Moves
  readonly outcome: Outcome
}

/** `full` may move anything; `placing` only places idle stake. */
type Plans = {
  readonly full: Judged
  readonly placing: Judged
  /** Whether the holding breaks the caller's limits, and whether it still does after the full plan. */
  readonly isForced: boolean
  readonly stillBreaksLimits: boolean
  /** `costly`: some stake loses an epoch if it moves; `freeToMove`: none does. */
  readonly stake: 'none' | 'costly' | 'freeToMove'
  /** The reason why nothing can move, whatever the gain. */
  readonly obstacle: Obstacle | undefined
  /** Whether `keepLiquid` keeps all withdrawn coins, or all but less than the smallest stake. */
  readonly kept: 'none' | 'all' | 'all_but_little'
}

export type Obstacle = 'no_target' | 'no_turnover' | 'too_small' | 'too_few'

const OBSTACLES = {
  no_target: 'There is no validator to move to within your limits.',
  no_turnover: 'The amount that may move under `maxTurnover` is less than the smallest stake.',
  too_few:
    'Your stake lies with fewer validators than your policy asks for (minValidators), so no part of it may be taken out, only all of it in one transaction. A plan does not do that: each of its calls is a transaction of its own, and all of your stake would earn nothing meanwhile. Stake with other validators first, or take all out in one batch and allocate it again.',
  too_small: "What you hold is less than the network's smallest stake: no other validator would take it.",
} as const satisfies Record<Obstacle, string>

const KEPT = {
  none: [],
  all: ['What is withdrawn stays unstaked, as `keepLiquid` asks.'],
  all_but_little: [
    'What is withdrawn stays unstaked, as `keepLiquid` asks: what is left over is less than the smallest stake.',
  ],
} as const satisfies Record<Plans['kept'], readonly string[]>

export type Judged = { readonly moves: Moves; readonly outcome: Outcome }

/**
 * Chooses a plan: `full` if the caller's limits force it, or if it gains enough more than `placing`; otherwise
 * `placing` if there is idle stake to place; otherwise none.
 */
export function chooseVerdict(plans: Plans, cost: SwitchingCost): Verdict {
  const { full, placing, isForced } = plans
  const gained = full.outcome.net - placing.outcome.net
  const moves = full.moves.outflows.length > 0
  if (moves && isForced) {
    return { recommendation: 'move', reason: reasonOfLimits(full.outcome, plans.stillBreaksLimits), ...full }
  }
  if (moves && gained >= MIN_GAIN && full.outcome.projectedApy > full.outcome.currentApy) {
    return { recommendation: 'move', reason: reasonToMove(full.outcome), ...full }
  }
  if (placing.moves.inflows.length > 0) {
    const { currentApy, projectedApy } = placing.outcome
    const rest = plans.stake === 'none' ? '' : ` The rest stays. ${reasonToStay(plans, cost)}`
    const reason = `What is withdrawn earns nothing: staking it lifts the yield ${fromTo(currentApy, projectedApy)}.${rest}`
    return { recommendation: 'move', reason, ...placing }
  }
  const reasons = [
    ...KEPT[plans.kept],
    ...(plans.stake === 'none' && plans.kept !== 'none' ? [] : [reasonToStay(plans, cost)]),
  ]
  return { recommendation: 'hold', reason: reasons.join(' '), moves: STAY, outcome: placing.outcome }
}

function reasonToStay(plans: Plans, cost: SwitchingCost): string {
  const { full, placing, isForced, stake, obstacle } = plans
  if (full.moves.outflows.length > 0) {
    const gained = 100 * (full.outcome.net - placing.outcome.net)
    return `The best moves gain ${gained.toFixed(3)} percentage points a year after their cost: too little to move for.`
  }
  const why = obstacle && OBSTACLES[obstacle]
  if (isForced) {
    return `Your limits do not allow what you hold, but nothing can move.${why ? ` ${why}` : ''}`
  }
  return why ?? reasonOfHorizon(cost, stake === 'costly')
}

const epochs = (count: number): string => (count === 1 ? '1 epoch' : `${count} epochs`)

function reasonOfHorizon({ horizonEpochs, stillEarning, idle }: SwitchingCost, isCostly: boolean): string {
  const within = `within ${epochs(horizonEpochs)}`
  const arrivesIn = stillEarning + (isCostly ? idle : 0)
  if (horizonEpochs > arrivesIn) {
    return isCostly
      ? `No move earns back ${within} what the stake loses while it moves.`
      : 'Moving would cost nothing here, and gain nothing: your stake is well placed.'
  }
  return `Stake that moves now earns nothing elsewhere ${within}: it arrives after ${epochs(arrivesIn)}. Ask with a longer \`horizonEpochs\`.`
}

function reasonOfLimits({ currentApy, projectedApy }: Outcome, stillBreaksLimits: boolean): string {
  const yields = `changes the yield ${fromTo(currentApy, projectedApy)}`
  return stillBreaksLimits
    ? `Your limits do not allow what you hold: moving ${yields}. A part stays beyond them, because no more may move, or there is no room for more elsewhere.`
    : `Your limits do not allow what you hold: moving within them ${yields}.`
}

const reasonToMove = ({ currentApy, projectedApy, breakEvenEpochs }: Outcome): string =>
  `Moving lifts the yield ${fromTo(currentApy, projectedApy)}, and pays for itself after ${epochs(breakEvenEpochs)}.`

const fromTo = (from: number, to: number): string => `from ${printPercent(from)} to ${printPercent(to)}`
