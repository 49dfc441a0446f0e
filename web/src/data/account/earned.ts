/** The rewards that a wallet has earned and not withdrawn at the beginning of an epoch. */
export type Earned = { readonly epoch: number; readonly principal: string; readonly rewards: string }

/**
 * The epochs between two readings of a wallet, from the rewards of each epoch: the user may advance many at once. Empty
 * if the principal has changed: the figures would belong to another stake.
 */
export function earnedBetween(
  before: Earned | undefined,
  now: Earned,
  perEpoch: readonly { readonly epoch: number; readonly rewards: string }[],
): readonly Earned[] {
  if (before?.principal !== now.principal) return []
  const earnedIn = new Map(perEpoch.map(({ epoch, rewards }) => [epoch, BigInt(rewards)]))
  const between: Earned[] = []
  let rewards = BigInt(now.rewards)
  for (let epoch = now.epoch - 1; epoch > before.epoch; epoch -= 1) {
    rewards -= earnedIn.get(epoch) ?? 0n
    between.unshift({ epoch, principal: now.principal, rewards: String(rewards) })
  }
  return between
}

/** Whether epochs are missing between the last reading and `epoch`. */
export const isBehind = (before: Earned | undefined, epoch: number): before is Earned =>
  before !== undefined && before.principal !== '0' && epoch > before.epoch + 1
