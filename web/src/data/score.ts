import type { Validator } from './queries.ts'

type Components = NonNullable<Validator['components']>
export const SCORE_PARTS = ['apy', 'uptime', 'commission'] as const
export type ScorePart = (typeof SCORE_PARTS)[number]
export const PART_NAMES: Readonly<Record<ScorePart, string>> = {
  apy: 'Yield',
  uptime: 'Uptime',
  commission: 'Commission',
}
export type Weights = Readonly<Record<ScorePart, number>>

/** What each component adds to a score of 100, the gate included. */
export function scoreParts(components: Components, weights: Weights) {
  return SCORE_PARTS.map((name) => ({
    name,
    value: components[name],
    weight: weights[name],
    points: 100 * components.gate * weights[name] * components[name],
  }))
}

export const scoreOf = (components: Components, weights: Weights): number =>
  scoreParts(components, weights).reduce((sum, { points }) => sum + points, 0)

/** Weights as the service publishes them; a missing one counts nothing. */
export const toWeights = (published: Readonly<Record<string, number>>): Weights => ({
  apy: published['apy'] ?? 0,
  uptime: published['uptime'] ?? 0,
  commission: published['commission'] ?? 0,
})

/** Any three sliders as weights that sum to 1. */
export function normalise(raw: Weights): Weights {
  const sum = raw.apy + raw.uptime + raw.commission
  if (sum <= 0) return { apy: 1 / 3, uptime: 1 / 3, commission: 1 / 3 }
  return { apy: raw.apy / sum, uptime: raw.uptime / sum, commission: raw.commission / sum }
}
