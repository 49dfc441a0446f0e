import type { Histories, HistoryPoint } from './queries.ts'

export type ValidatorEvent = { readonly epoch: number; readonly text: string }

/** What happened to a validator in the epochs shown: changes of commission, and epochs it missed. */
export function validatorEvents(
  points: readonly HistoryPoint[],
  history: Histories['data'][number] | undefined,
  epochs: readonly number[],
  formatShare: (value: number) => string,
): readonly ValidatorEvent[] {
  const changes = points.flatMap((point, index) => {
    const before = points[index - 1]
    if (!before || before.commissionRate === point.commissionRate) return []
    const text = `commission ${formatShare(before.commissionRate)} → ${formatShare(point.commissionRate)}`
    return [{ epoch: point.epoch, text }]
  })
  const missed = epochs.flatMap((epoch, index) =>
    history?.performed[index] === false ? [{ epoch, text: 'missed this epoch' }] : [],
  )
  return [...changes, ...missed].toSorted((a, b) => a.epoch - b.epoch)
}

/** Rewards that reached the pool's stakers in each epoch: what one share gained, times all shares; first epoch left out. */
export function rewardsPerEpoch(points: readonly HistoryPoint[]): readonly (bigint | null)[] {
  return points.map(({ exchangeRate: now }, index) => {
    const before = points[index - 1]?.exchangeRate
    if (!now || !before) return null
    const [tokens, shares] = [BigInt(now.tokens), BigInt(now.shares)]
    return tokens - (BigInt(before.tokens) * shares) / BigInt(before.shares)
  })
}
