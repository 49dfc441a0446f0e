import type { ChainSnapshot, StakedToken, Validator } from '#ports/staking-chain.ts'

/**
 * When stakes and withdrawals take effect. Ika, Walrus and the sandbox have two steps, request and withdraw, and count
 * in whole epochs; on Sui the one call pays out at once. What decides is whether the chain has selected its next
 * committee, never the clock.
 */

export type WithdrawalPath =
  /** One call pays out now. */
  | { readonly kind: 'withdraw now' }
  /** A request now; it can be withdrawn from `atEpoch` on. */
  | { readonly kind: 'request'; readonly atEpoch: number }
  /** Requested before, and not due yet. */
  | { readonly kind: 'wait'; readonly atEpoch: number }

export const isOneStep = ({ network }: ChainSnapshot): boolean => network === 'sui'

/** The epoch in which a stake made now begins to earn. */
export function activationEpoch(snapshot: ChainSnapshot): number {
  const { number, nextCommitteeSelected } = snapshot.epoch
  return number + (nextCommitteeSelected && !isOneStep(snapshot) ? 2 : 1)
}

/** How the owner of a staked token gets the tokens back, if they ask now. */
export function withdrawalPath(
  token: Pick<StakedToken, 'activationEpoch' | 'withdrawEpoch'>,
  validator: Pick<Validator, 'status' | 'inNextCommittee'> | undefined,
  snapshot: ChainSnapshot,
): WithdrawalPath {
  const { number: epoch, nextCommitteeSelected } = snapshot.epoch
  if (isOneStep(snapshot)) return { kind: 'withdraw now' }
  if (token.withdrawEpoch !== undefined) {
    return token.withdrawEpoch <= epoch
      ? { kind: 'withdraw now' }
      : { kind: 'wait', atEpoch: token.withdrawEpoch }
  }
  const isInNext = nextCommitteeSelected && validator?.inNextCommittee === true
  if (token.activationEpoch > epoch) {
    // Selected for the next epoch, the stake must work through it; otherwise it never begins.
    const mustWork = token.activationEpoch === epoch + 1 && isInNext
    return mustWork ? { kind: 'request', atEpoch: epoch + 2 } : { kind: 'withdraw now' }
  }
  if (isInNext) return { kind: 'request', atEpoch: epoch + 2 }
  const isInCommittee = validator?.status === 'active' || validator?.status === 'leaving'
  return isInCommittee ? { kind: 'request', atEpoch: epoch + 1 } : { kind: 'withdraw now' }
}

/** When an epoch is due to begin; the chain may be late, never early. */
export function startOfEpoch({ epoch }: ChainSnapshot, number: number): number {
  return epoch.startedAt + (number - epoch.number) * epoch.durationMs
}

/** The next moment at which the rules above may give other answers. */
export function nextRuleChange({ epoch, network }: ChainSnapshot): number {
  const end = epoch.startedAt + epoch.durationMs
  if (epoch.nextCommitteeSelected || network === 'sui') return end
  return epoch.startedAt + Math.floor(epoch.durationMs / 2)
}
