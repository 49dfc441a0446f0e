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

/** The points that each component adds to a score, out of 100, after the gate. */
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

/**
 * Weights in whole percent that add up to 100, by the largest remainder: rounding each alone gives 99 or 101. Weights
 * that already are whole percentages stay unchanged.
 */
export function toPercents(raw: Weights): Weights {
  const sum = raw.apy + raw.uptime + raw.commission
  const exact = (part: ScorePart) => (sum > 0 ? round12((100 * raw[part]) / sum) : 100 / SCORE_PARTS.length)
  const left = 100 - SCORE_PARTS.reduce((total, part) => total + Math.floor(exact(part)), 0)
  const raised = SCORE_PARTS.toSorted((a, b) => (exact(b) % 1) - (exact(a) % 1)).slice(0, left)
  const percent = (part: ScorePart) => Math.floor(exact(part)) + (raised.includes(part) ? 1 : 0)
  return { apy: percent('apy'), uptime: percent('uptime'), commission: percent('commission') }
}

/** Avoids the rounding errors of binary fractions: 0.29 · 100 is not exactly 29. */
const round12 = (value: number): number => Math.round(value * 1e12) / 1e12

/** Percentages after one part was changed: the others share the rest in their present proportion. */
export function withPercent(percents: Weights, part: ScorePart, value: number): Weights {
  const others = SCORE_PARTS.filter((name) => name !== part)
  const rest = others.reduce((sum, name) => sum + percents[name], 0)
  const shareOf = (name: ScorePart) => (rest > 0 ? percents[name] / rest : 1 / others.length)
  const entry = (name: ScorePart) => (name === part ? value : (100 - value) * shareOf(name))
  return toPercents({ apy: entry('apy'), uptime: entry('uptime'), commission: entry('commission') })
}

/** Percentages as the fractions that a score is made of. */
export const fromPercents = ({ apy, uptime, commission }: Weights): Weights => ({
  apy: apy / 100,
  uptime: uptime / 100,
  commission: commission / 100,
})
