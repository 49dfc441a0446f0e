import type { EpochRecord, StakedToken } from '#ports/chain/staking-chain.ts'
import { smaller } from '../../amount.ts'

type TokenRewards = {
  /** What each epoch brought, by its number. */
  readonly byEpoch: ReadonlyMap<number, bigint>
  /** What it earned in epochs whose exchange rates are not known here. */
  readonly earlier: bigint
}

type Rate = EpochRecord['rate']

const FLAT: Rate = { tokens: 1n, shares: 1n }

/**
 * What a token earned in each epoch, by the contract's own arithmetic: its principal became shares at the rate it was
 * activated at, and the rate at the end of each epoch says what they are worth. The parts add up to exactly what the
 * chain would pay; where rounding lowers a rate by a hair, an epoch brings nothing instead of less than that.
 */
export function rewardsByEpoch(
  token: StakedToken,
  history: readonly EpochRecord[],
  present: number,
): TokenRewards {
  const until = Math.min(token.withdrawEpoch ?? present, present)
  const known = history.filter(({ epoch }) => epoch >= token.activationEpoch && epoch < until)
  const first = history.find(({ epoch }) => epoch === token.activationEpoch - 1)?.rate ?? FLAT
  const shares = (token.principal * first.shares) / first.tokens
  const gains = known.map(({ epoch, rate }) => ({ epoch, gain: gainOf(token, shares, rate) }))
  const byEpoch = new Map<number, bigint>()
  // Where epochs are missing, the rate of activation is not known: then what the chain pays is not split by guess. A
  // validator that has left has no later rates, and the last one stays.
  const isWhole = known.every(({ epoch }, at) => epoch === token.activationEpoch + at)
  if (!isWhole || (gains.at(-1)?.gain ?? 0n) !== token.rewards) return { byEpoch, earlier: token.rewards }
  let earned = 0n
  for (const { epoch, gain } of gains) {
    const upTo = smaller(gain > earned ? gain : earned, token.rewards)
    byEpoch.set(epoch, upTo - earned)
    earned = upTo
  }
  return { byEpoch, earlier: token.rewards - earned }
}

function gainOf({ principal }: StakedToken, shares: bigint, rate: Rate): bigint {
  const worth = (shares * rate.tokens) / rate.shares
  return worth > principal ? worth - principal : 0n
}
