import type { EpochRecord, StakedToken } from '#ports/chain/staking-chain.ts'
import { smaller } from '../../amount.ts'

/**
 * The rewards of a token in each epoch, by the contract's own arithmetic: its principal was converted to shares at
 * its activation, and the rate at the end of each epoch is their worth. The parts add up to exactly what the chain
 * would pay. If rounding lowers a rate, the epoch counts 0 instead of a negative reward. Rewards from before the
 * newest gapless run of rates, and of the first epoch of the run, are not split.
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
  // If the sum differs from the chain's rewards, nothing is split: it would be a guess. For a validator that has left,
  // the last rate stays valid.
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
