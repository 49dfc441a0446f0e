import type { TokenPart } from './held-token.ts'
import type { Keep } from './places/keep.ts'
import type { Target } from './problem.ts'

/** Stake that leaves one validator; `amount` includes rewards. */
export type Outflow = { readonly keep: Keep; readonly amount: bigint; readonly parts: readonly TokenPart[] }

/** Stake that goes to a target. */
export type Inflow = { readonly target: Target; readonly amount: bigint }

export type Moves = { readonly outflows: readonly Outflow[]; readonly inflows: readonly Inflow[] }

export const STAY: Moves = { outflows: [], inflows: [] }

/** The smallest yearly gain of a step, as a fraction of the whole stake; steps below it are dropped. */
export const STEP_WORTH = 1e-5
