import type { TokenPart } from './held-token.ts'
import type { Keep, Target } from './problem.ts'

/** What leaves one validator: `amount` is its value, rewards included. */
export type Outflow = { readonly keep: Keep; readonly amount: bigint; readonly parts: readonly TokenPart[] }

/** What goes to another. */
export type Inflow = { readonly target: Target; readonly amount: bigint }

export type Moves = { readonly outflows: readonly Outflow[]; readonly inflows: readonly Inflow[] }

export const STAY: Moves = { outflows: [], inflows: [] }

/** A step has to be worth this much of the whole stake per year; otherwise the plan is better without it. */
export const STEP_WORTH = 1e-5
