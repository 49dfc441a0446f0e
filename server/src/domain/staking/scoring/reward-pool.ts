import type { ChainSnapshot, RewardShape, Validator } from '#ports/chain/staking-chain.ts'
import { apportionShards } from '../../../shards.ts'
import { compare } from '../../compare.ts'
import { epochsPerYear } from '../../network/year.ts'

/** The yearly rewards of the network, and the members and the stake that share them. */
export type RewardPool = {
  readonly shape: RewardShape
  readonly epochsPerYear: number
  readonly yearlyRewards: number
  readonly members: number
  readonly totalStake: number
  /** If pay goes by whole shards: the shards of each member, and their fraction of all. */
  readonly seats: ReadonlyMap<string, Seats> | undefined
}

type Seats = { readonly shards: number; readonly share: number }

/**
 * Whether a validator is in the committee when a stake made now becomes active; only then it earns. Until that
 * committee is selected, staying members and pending validators count.
 */
export const willEarn = ({ status, inNextCommittee }: Validator): boolean =>
  inNextCommittee ?? (status === 'active' || status === 'pending')

export function rewardPoolOf({ epoch, rewards, validators }: ChainSnapshot): RewardPool {
  const members = validators.filter(willEarn)
  const perYear = epochsPerYear(epoch.durationMs)
  // Added up as bigint, so that the order of the validators cannot change the sum.
  const totalStake = members.reduce((sum, { nextStake }) => sum + nextStake, 0n)
  return {
    shape: rewards.shape,
    epochsPerYear: perYear,
    yearlyRewards: perYear * Number(rewards.perEpoch),
    members: Math.max(1, members.length),
    totalStake: Math.max(1, Number(totalStake)),
    seats: seatsOf(rewards.shape, members),
  }
}

function seatsOf(shape: RewardShape, members: readonly Validator[]): RewardPool['seats'] {
  if (shape.kind !== 'proportional' || shape.shards === undefined) return undefined
  const all = shape.shards
  // Sorted by id: ties are broken in the same way for every input order.
  const ordered = members.toSorted((a, b) => compare(a.id, b.id))
  const given = apportionShards(
    ordered.map(({ nextStake }) => nextStake),
    all,
  )
  return new Map(
    ordered.map(({ id }, index) => {
      const shards = given[index] ?? 0
      return [id, { shards, share: shards / all }]
    }),
  )
}

type Member = Pick<Validator, 'id' | 'nextStake'>

/** The yearly rewards of one staked unit at a flawless member with its next stake, before commission. */
export function grossYearlyRate(pool: RewardPool, { id, nextStake }: Member): number {
  const own = Math.max(1, Number(nextStake))
  if (pool.shape.kind === 'equal-share') return pool.yearlyRewards / pool.members / own
  if (pool.seats) return (pool.yearlyRewards * (pool.seats.get(id)?.share ?? 0)) / own
  const counted = Math.min(own, pool.shape.capShare * pool.totalStake)
  return (pool.yearlyRewards * (counted / own)) / pool.totalStake
}

/**
 * The ratio of a member's pay by whole shards to its pay by stake (up to the cap). 1 without shards.
 */
export function seatFactor({ shape, seats, totalStake }: RewardPool, { id, nextStake }: Member): number {
  if (!seats || shape.kind === 'equal-share') return 1
  const byStake = Math.min(Math.max(1, Number(nextStake)) / totalStake, shape.capShare)
  return (seats.get(id)?.share ?? 0) / byStake
}

/** The yearly rate of the network as a whole, before commission. */
export const networkYearlyRate = (pool: RewardPool): number => pool.yearlyRewards / pool.totalStake

/** The expected commission: an announced raise counts at once, an announced cut only when it takes effect. */
export const expectedCommission = ({ commissionBps, nextCommissionBps }: Validator): number =>
  Math.min(1, Math.max(commissionBps, nextCommissionBps) / 10_000)
