import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'

/** By which token it is told that a stake was carried out. Taking a part, or a join, can make others look like it. */

type Stake = Pick<ReservedItem, 'validatorId' | 'amount' | 'knownIds'>

export const isStaked = ({ withdrawEpoch }: StakedToken): boolean => withdrawEpoch === undefined

/** A stake becomes active in a later epoch than it was made in. */
export const madeSince = (
  { validatorId }: Pick<Stake, 'validatorId'>,
  epoch: number,
  tokens: readonly StakedToken[],
): readonly StakedToken[] =>
  tokens.filter((held) => held.validatorId === validatorId && held.activationEpoch > epoch)

/** How many look like the stake and were not there before. A part that was split off to be asked back is none. */
export const newOnes = (stake: Stake, epoch: number, tokens: readonly StakedToken[]): number =>
  madeSince(stake, epoch, tokens).filter(
    (held) => held.principal === stake.amount && isStaked(held) && !stake.knownIds?.includes(held.id),
  ).length

/** Those that hold what was staked: nothing was built that takes from them or joins others to them. */
export function untouchedBy(
  built: readonly Reservation[],
  tokens: readonly StakedToken[],
): readonly StakedToken[] {
  const touched = new Set(built.flatMap(({ items }) => items.flatMap(({ token }) => token?.id ?? [])))
  return tokens.filter(({ id }) => !touched.has(id))
}
