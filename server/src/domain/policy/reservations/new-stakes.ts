import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'

/** Finds the token of an executed stake. A partial unstake or a join can make other tokens look like it. */

type Stake = Pick<ReservedItem, 'validatorId' | 'amount' | 'knownIds'>

export const isStaked = ({ withdrawEpoch }: StakedToken): boolean => withdrawEpoch === undefined

/** Tokens indexed for each kind of query, so that the time of a check does not grow with tokens times items. */
export type TokenIndex = {
  readonly byId: ReadonlyMap<string, StakedToken>
  /** The tokens with the stake's validator and amount, those that become active last first. */
  readonly like: (stake: Pick<Stake, 'validatorId' | 'amount'>) => readonly StakedToken[]
}

/** Names a validator and an amount: stakes of one kind look the same on the chain. */
export const kindOf = ({ validatorId, amount }: Pick<Stake, 'validatorId' | 'amount'>): string =>
  `${validatorId} ${amount}`

export function indexTokens(tokens: readonly StakedToken[]): TokenIndex {
  const newestFirst = tokens.toSorted((one, other) => other.activationEpoch - one.activationEpoch)
  const byKind = Map.groupBy(newestFirst, ({ validatorId, principal }) =>
    kindOf({ validatorId, amount: principal }),
  )
  return {
    byId: new Map(tokens.map((token) => [token.id, token])),
    like: (stake) => byKind.get(kindOf(stake)) ?? [],
  }
}

/**
 * Tokens staked with the validator since the epoch. A stake becomes active in a later epoch than the one it is made
 * in.
 */
const madeSince = (
  { validatorId }: Pick<Stake, 'validatorId'>,
  epoch: number,
  tokens: readonly StakedToken[],
): readonly StakedToken[] =>
  tokens.filter((held) => held.validatorId === validatorId && held.activationEpoch > epoch)

/** Tokens that the stake may have become: made while the chain took the transaction, and new when it was built. */
export const possiblyFrom = (
  stake: Stake,
  { epoch, activeBy = Number.POSITIVE_INFINITY }: Pick<Reservation, 'epoch' | 'activeBy'>,
  tokens: readonly StakedToken[],
): readonly StakedToken[] =>
  madeSince(stake, epoch, tokens).filter(
    ({ id, activationEpoch }) => activationEpoch <= activeBy && !stake.knownIds?.includes(id),
  )

/** The number of new tokens that may be the stake. A part that was split off to be unstaked does not count. */
export function countNewStakes(stake: Stake, epoch: number, tokens: TokenIndex): number {
  const known = new Set(stake.knownIds)
  const isNew = (held: StakedToken) => held.activationEpoch > epoch && isStaked(held) && !known.has(held.id)
  return tokens.like(stake).filter(isNew).length
}

/** The tokens that no built transaction takes from or joins others to. */
export function withoutTokensOf(
  built: readonly Reservation[],
  tokens: readonly StakedToken[],
): readonly StakedToken[] {
  const touched = new Set(built.flatMap(({ items }) => items.flatMap(({ token }) => token?.id ?? [])))
  return tokens.filter(({ id }) => !touched.has(id))
}
