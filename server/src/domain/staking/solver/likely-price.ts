import { curvatureOf, type RewardCurve } from './reward-curve.ts'

/**
 * An estimate of the price at which the curves take the whole amount; rougher if they are not sorted by entry. Each
 * curve is approximated by an equal-pay pool with the same marginal worth and curvature (from dilution and risk) at
 * the first unit. For these pools √price = Σ stake · √entry / (amount + Σ stake), over those whose entry is above the
 * price.
 */
export function likelyPrice(curves: readonly RewardCurve[], amount: number, risk: number): number {
  let root = 0
  let whole = amount
  for (const curve of curves) {
    const entry = Math.sqrt(Math.max(0, curve.entry))
    if (entry <= root) continue
    const stake = (2 * curve.entry) / curvatureOf(curve, risk, 0)
    // A nearly linear curve takes the whole amount at its entry rate.
    if (stake > 1e6 * amount) return curve.entry
    root = (root * whole + entry * stake) / (whole + stake)
    whole += stake
  }
  return root * root
}
