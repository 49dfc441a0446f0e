/** What a wallet has earned and not withdrawn, as of the beginning of an epoch. */
export type Earned = { readonly epoch: number; readonly principal: string; readonly rewards: string }

/**
 * The epochs between two looks, from what was earned in each: time may have moved by many at once. Empty where the
 * wallet held something else in between: then they would be those of another stake.
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

/** Whether epochs were completed since the wallet was last looked at, besides the one before this. */
export const isBehind = (before: Earned | undefined, epoch: number): before is Earned =>
  before !== undefined && before.principal !== '0' && epoch > before.epoch + 1
