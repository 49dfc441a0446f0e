import { marginalGain } from './solver/reward-curve.ts'
import type { Place, StakedPart } from './staked-part.ts'

/** The marginal rate at several amounts, for drawing a chart of the split. */
export type SampledCurve = {
  readonly validatorId: string
  /** Ascending by amount; rates in percent per year. */
  readonly points: readonly { readonly amount: bigint; readonly marginalRate: number }[]
}

const POINTS = 24
/** The chart ends at this multiple of the largest part. */
const BEYOND = 1.25

/** The curves of the chosen validators, in their order, and of the next one. */
export function sampleCurves(
  stakes: readonly StakedPart[],
  next: Place | undefined,
  risk: number,
): readonly SampledCurve[] {
  const total = stakes.reduce((sum, { amount }) => sum + amount, 0)
  const largest = stakes.reduce((most, { amount }) => Math.max(most, amount), 0)
  const end = Math.min(total, largest * BEYOND)
  const amounts = Array.from({ length: POINTS + 1 }, (_, index) => (end * index) / POINTS)
  return [...stakes, ...(next ? [next] : [])].map(({ option, curve }) => ({
    validatorId: option.validatorId,
    points: amounts.map((amount) => ({
      amount: BigInt(Math.round(amount)),
      marginalRate: 100 * marginalGain(curve, risk, amount),
    })),
  }))
}
