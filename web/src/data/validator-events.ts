import type { HistoryPoint } from './queries.ts'

export type ValidatorEvent = {
  readonly epoch: number
  readonly kind: 'commission' | 'missed'
  readonly text: string
}

/** The events of a validator in the shown epochs: changes of commission, and epochs it missed. */
export function validatorEvents(
  points: readonly HistoryPoint[],
  formatShare: (value: number) => string,
): readonly ValidatorEvent[] {
  return points.flatMap(({ epoch, commissionRate, performed }, index) => {
    const before = points[index - 1]?.commissionRate ?? commissionRate
    return [
      ...(before === commissionRate
        ? []
        : [
            {
              epoch,
              kind: 'commission' as const,
              text: `commission ${formatShare(before)} → ${formatShare(commissionRate)}`,
            },
          ]),
      ...(performed === false ? [{ epoch, kind: 'missed' as const, text: 'missed this epoch' }] : []),
    ]
  })
}

/** Rewards of the pool's stakers per epoch: the gain of one share, times all shares. Null for the first epoch. */
export function rewardsPerEpoch(points: readonly HistoryPoint[]): readonly (bigint | null)[] {
  return points.map(({ exchangeRate: now }, index) => {
    const before = points[index - 1]?.exchangeRate
    if (!now || !before) return null
    const [tokens, shares] = [BigInt(now.tokens), BigInt(now.shares)]
    return tokens - (BigInt(before.tokens) * shares) / BigInt(before.shares)
  })
}
