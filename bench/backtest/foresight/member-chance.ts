import type { HistoryEpoch } from '../read-history.ts'

/** The chance of being a member is 1 − atEdge · e^(−headroom / fading); headroom is relative to the largest stake outside. */
export type Chance = { readonly atEdge: number; readonly fading: number }

type Seen = { readonly headroom: number; readonly stayed: number }

/** The largest headroom that enters the fit: members far above the edge tell nothing about it. */
const NEAR = 1

/** How far a stake is above that of the largest rival, relative to it; infinite without a rival. */
export const headroomOf = (stake: number, rival: number): number =>
  rival > 0 ? stake / rival - 1 : Number.POSITIVE_INFINITY

/** The largest stake outside the committee; 0 if there is none. */
export const largestOutside = ({ outside }: Pick<HistoryEpoch, 'outside'>): number =>
  Math.max(0, ...outside.map(({ stake }) => Number(stake)))

/** Maximum-likelihood fit by grid search of the chance of being a member `later` epochs later (the mean over several). */
export function fitChance(histories: readonly (readonly HistoryEpoch[])[], later: readonly number[]): Chance {
  const seen = histories.flatMap((history) => observe(history, later))
  const safe = { atEdge: 0, fading: 1 }
  let best = { ...safe, likelihood: likelihoodOf(seen, safe) }
  for (let atEdge = 0.02; atEdge < 0.96; atEdge += 0.02) {
    for (let fading = 0.005; fading < 0.4; fading *= 1.1) {
      const likelihood = likelihoodOf(seen, { atEdge, fading })
      if (likelihood > best.likelihood) best = { atEdge, fading, likelihood }
    }
  }
  return { atEdge: best.atEdge, fading: best.fading }
}

function observe(history: readonly HistoryEpoch[], later: readonly number[]): readonly Seen[] {
  return history.flatMap((now, at) => {
    const after = later.flatMap((epochs) => history[at + epochs] ?? [])
    if (after.length < later.length) return []
    const rival = largestOutside(now)
    return [...now.rows.values()].flatMap(({ validator, stake }): Seen[] => {
      const headroom = headroomOf(Number(stake), rival)
      const stayed = after.filter((epoch) => epoch.rows.has(validator)).length / after.length
      return headroom > NEAR ? [] : [{ headroom, stayed }]
    })
  })
}

function likelihoodOf(seen: readonly Seen[], { atEdge, fading }: Chance): number {
  let sum = 0
  for (const { headroom, stayed } of seen) {
    const lost = Math.max(1e-6, atEdge * Math.exp(-headroom / fading))
    sum += stayed * Math.log(1 - lost) + (1 - stayed) * Math.log(lost)
  }
  return sum
}
