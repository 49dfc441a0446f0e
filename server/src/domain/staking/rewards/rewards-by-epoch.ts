import type { EpochRecord, StakedToken } from '#ports/chain/staking-chain.ts'
import { smaller } from '../../amount.ts'

/**
 * What a token earned in each epoch, by the contract's own arithmetic: its principal became shares at the rate it was
 * activated at, and the rate at the end of each epoch says what they are worth. The parts add up to exactly what the
 * chain would pay; where rounding lowers a rate by a hair, an epoch brings nothing instead of less than that. What was
 * earned before the newest run of known rates, and in its first epoch, is not split.
 */
export function rewardsByEpoch(
  token: StakedToken,
  history: readonly EpochRecord[],
  present: number,
): ReadonlyMap<number, bigint> {
  const { activationEpoch, principal, rewards, shares = 0n } = token
  const until = Math.min(token.withdrawEpoch ?? present, present)
  const known = history.filter(({ epoch }) => epoch >= activationEpoch && epoch < until)
  const gains = newestRun(known).map(({ epoch, rate }) => {
    const worth = (shares * rate.tokens) / rate.shares
    return { epoch, gain: worth > principal ? worth - principal : 0n }
  })
  const byEpoch = new Map<number, bigint>()
  // What the chain pays otherwise is not split by guess. A validator that has left has no later rates, and the last one
  // stays.
  if (gains.at(-1)?.gain !== rewards) return byEpoch
  let earned = 0n
  for (const [at, { epoch, gain }] of gains.entries()) {
    const upTo = smaller(gain > earned ? gain : earned, rewards)
    if (at > 0 || epoch === activationEpoch) byEpoch.set(epoch, upTo - earned)
    earned = upTo
  }
  return byEpoch
}

/** The newest records without a gap between them. */
function newestRun(records: readonly EpochRecord[]): readonly EpochRecord[] {
  const start = records.findLastIndex(({ epoch }, at) => records[at - 1]?.epoch !== epoch - 1)
  return records.slice(Math.max(start, 0))
}
