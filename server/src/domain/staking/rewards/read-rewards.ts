import type { NetworkView } from '../../network/network-view.ts'
import type { Position, readPositions } from '../read-positions.ts'
import { rewardsByEpoch } from './rewards-by-epoch.ts'

type OwnerRewards = {
  readonly view: NetworkView
  /** The rewards of all staked tokens, as the chain would pay them now. */
  readonly total: bigint
  readonly claimable: { readonly tokens: number; readonly principal: bigint; readonly rewards: bigint }
  /** The rewards of each completed epoch, ascending. */
  readonly epochs: readonly { readonly epoch: number; readonly endedAt: number; readonly rewards: bigint }[]
  /** Rewards of epochs before the listed ones, or of epochs without a recorded rate. */
  readonly earlier: bigint
}

type Needs = { readonly positionsOf: ReturnType<typeof readPositions> }

/** The rewards of an address by epoch, and the part that can be claimed now. */
export function readRewards({ positionsOf }: Needs) {
  return async (owner: string, mostEpochs: number, deadline: AbortSignal): Promise<OwnerRewards> => {
    const { view, positions } = await positionsOf(owner, deadline)
    const from = firstWholeEpoch(positions, view)
    const epochs = sumByEpoch(positions, view)
      .filter(({ epoch }) => epoch >= from)
      .toSorted((one, other) => one.epoch - other.epoch)
      .slice(-mostEpochs)
    const total = sum(positions.map(({ token }) => token.rewards))
    return {
      view,
      total,
      claimable: claimableOf(positions),
      epochs,
      earlier: total - sum(epochs.map(({ rewards }) => rewards)),
    }
  }
}

function sumByEpoch(positions: readonly Position[], { snapshot, history }: NetworkView) {
  const sums = new Map<number, OwnerRewards['epochs'][number]>()
  for (const { token } of positions) {
    const records = history.byValidator.get(token.validatorId) ?? []
    const byEpoch = rewardsByEpoch(token, records, snapshot.epoch.number)
    for (const { epoch, endedAt } of records) {
      const earned = byEpoch.get(epoch)
      if (earned === undefined) continue
      sums.set(epoch, { epoch, endedAt, rewards: earned + (sums.get(epoch)?.rewards ?? 0n) })
    }
  }
  return [...sums.values()]
}

/**
 * The first epoch for which the rewards of every token are known. If a token is older than the first stored rate of
 * its validator, the epoch of that rate has no start value.
 */
function firstWholeEpoch(positions: readonly Position[], { history }: NetworkView): number {
  return positions.reduce((from, { token }) => {
    const oldest = history.byValidator.get(token.validatorId)?.[0]?.epoch ?? 0
    return token.activationEpoch < oldest ? Math.max(from, oldest + 1) : from
  }, 0)
}

function claimableOf(positions: readonly Position[]): OwnerRewards['claimable'] {
  const tokens = positions.flatMap(({ token, next }) => (next === 'withdraw' ? [token] : []))
  return {
    tokens: tokens.length,
    principal: sum(tokens.map(({ principal }) => principal)),
    rewards: sum(tokens.map(({ rewards }) => rewards)),
  }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n)
