import type { ChainSnapshot, RewardShape, Validator } from '#ports/chain/staking-chain.ts'
import { apportionShards } from '../../../shards.ts'
import { epochsPerYear } from '../../network/year.ts'

/** What the network pays in a year, and to how many members and how much stake it is paid. */
export type RewardPool = {
  readonly shape: RewardShape
  readonly epochsPerYear: number
  readonly yearlyRewards: number
  readonly members: number
  readonly totalStake: number
  /** Where pay goes by whole shards: the part of all that each member will have. */
  readonly seats: ReadonlyMap<string, Seats> | undefined
}

type Seats = { readonly shards: number; readonly share: number }

/**
 * Only members of the committee that a stake made now will meet earn anything. Until it is selected, those are the
 * present ones that stay and those that wait to join.
 */
export const willEarn = ({ status, inNextCommittee }: Validator): boolean =>
  inNextCommittee ?? (status === 'active' || status === 'pending')

export function rewardPoolOf({ epoch, rewards, validators }: ChainSnapshot): RewardPool {
  const members = validators.filter(willEarn)
  const perYear = epochsPerYear(epoch.durationMs)
  // Added up exactly, so that the order of the validators cannot matter.
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
  // In the order of their ids, which decides between equals whatever order they came in.
  const ordered = members.toSorted((a, b) => (a.id < b.id ? -1 : 1))
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

/** What one staked unit earns in a year at a flawless member with the stake it will have, before commission. */
export function grossYearlyRate(pool: RewardPool, { id, nextStake }: Member): number {
  const own = Math.max(1, Number(nextStake))
  if (pool.shape.kind === 'equal-share') return pool.yearlyRewards / pool.members / own
  if (pool.seats) return (pool.yearlyRewards * (pool.seats.get(id)?.share ?? 0)) / own
  const counted = Math.min(own, pool.shape.capShare * pool.totalStake)
  return (pool.yearlyRewards * (counted / own)) / pool.totalStake
}

/**
 * What whole shards make of pay by stake: the part of the rewards that a member will get, as a multiple of what its stake
 * up to the cap would get. 1 where there are no shards.
 */
export function seatFactor({ shape, seats, totalStake }: RewardPool, { id, nextStake }: Member): number {
  if (!seats || shape.kind === 'equal-share') return 1
  const byStake = Math.min(Math.max(1, Number(nextStake)) / totalStake, shape.capShare)
  return (seats.get(id)?.share ?? 0) / byStake
}

/** The yearly rate of the network as a whole, before commission. */
export const networkYearlyRate = (pool: RewardPool): number => pool.yearlyRewards / pool.totalStake

/** The commission to reckon with: an announced raise counts at once, an announced cut only when it comes. */
export const expectedCommission = ({ commissionBps, nextCommissionBps }: Validator): number =>
  Math.min(1, Math.max(commissionBps, nextCommissionBps) / 10_000)
