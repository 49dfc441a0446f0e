import { type Moves, STAY } from './flows.ts'
import type { Outcome } from './outcome.ts'

/** The least that moving stake has to gain, per year and unit of the whole, after its cost: 2 bps. */
const MIN_GAIN = 0.0002

export type Verdict = {
  readonly recommendation: 'move' | 'hold'
  readonly reason: string
  readonly moves: Moves
  readonly outcome: Outcome
}

/** A plan that may move anything, and one that only places what is idle. */
type Plans = { readonly full: Judged; readonly placing: Judged; readonly isForced: boolean }

export type Judged = { readonly moves: Moves; readonly outcome: Outcome }

/**
 * Which plan to follow: the one that moves stake, if the caller's limits force it or if it gains enough over the one
 * that only places what is idle; otherwise that one, if there is anything idle; otherwise none.
 */
export function chooseVerdict({ full, placing, isForced }: Plans, horizonEpochs: number): Verdict {
  const gained = full.outcome.net - placing.outcome.net
  const moves = full.moves.outflows.length > 0
  if (moves && isForced) {
    const { currentApy, projectedApy } = full.outcome
    const reason = `Your limits do not allow what you hold: moving within them takes the yield ${fromTo(currentApy, projectedApy)}.`
    return { recommendation: 'move', reason, ...full }
  }
  if (moves && gained >= MIN_GAIN && full.outcome.projectedApy > full.outcome.currentApy) {
    return { recommendation: 'move', reason: reasonToMove(full.outcome), ...full }
  }
  if (placing.moves.inflows.length > 0) {
    const { currentApy, projectedApy } = placing.outcome
    const reason = `What is withdrawn earns nothing: staking it lifts the yield ${fromTo(currentApy, projectedApy)}. The rest is well placed.`
    return { recommendation: 'move', reason, ...placing }
  }
  const reason = moves
    ? `The best moves bring ${(100 * gained).toFixed(3)} percentage points a year after their cost: too little to move for.`
    : `No move earns back, within ${horizonEpochs} epochs, what is lost while stake is on its way.`
  return { recommendation: 'hold', reason, moves: STAY, outcome: placing.outcome }
}

const reasonToMove = ({ currentApy, projectedApy, breakEvenEpochs }: Outcome): string =>
  `Moving lifts the yield ${fromTo(currentApy, projectedApy)}, and pays for itself after ${breakEvenEpochs} epochs.`

const fromTo = (from: number, to: number): string => `from ${from.toFixed(2)} % to ${to.toFixed(2)} %`
