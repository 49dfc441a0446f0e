import { curvatureOf, type RewardCurve } from './reward-curve.ts'

/**
 * About the price at which curves take the whole amount, if they come in the order of their entries; otherwise a rougher
 * guess. Each is taken for an equal-pay pool whose first unit is worth the same and whose worth falls as fast from there,
 * be it by dilution or by risk. Among such pools √price = Σ stake · √entry / (amount + Σ stake), over those that start
 * above the price.
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
