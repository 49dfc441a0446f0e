import { ENDPOINTS, LIMITS } from '@stakewright/contract'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { NetworkView } from '#domain/network/network-view.ts'
import type { Position, readPositions } from '#domain/staking/read-positions.ts'
import type { readRewards } from '#domain/staking/rewards/read-rewards.ts'
import type { StakingChain } from '#ports/chain/staking-chain.ts'
import { toIso } from '../../basics/iso-time.ts'
import type { Endpoints } from '../endpoint.ts'
import { arrangeList, selectFields } from '../lists/arrange-list.ts'
import { storeCursor } from '../lists/store-cursor.ts'
import { unknownValidator } from './refusals.ts'
import { toHistoryState, toNextChangeAt, toTokenUnit } from './shapes.ts'

type Needs = {
  readonly chain: StakingChain
  readonly network: CurrentNetwork
  readonly positionsOf: ReturnType<typeof readPositions>
  readonly rewardsOf: ReturnType<typeof readRewards>
}

/** Positions, rewards and delegators. */
export function positionEndpoints({ chain, network, positionsOf, rewardsOf }: Needs) {
  return {
    positions: {
      requires: 'data',
      handle: async ({ owner, state, ...request }, { signal }) => {
        const { view, positions } = await positionsOf(owner, signal())
        const rests = {
          epoch: view.snapshot.epoch.number,
          dataAgeSeconds: network.ageSeconds(view),
          nextChangeAt: toNextChangeAt(view.snapshot),
          ...toTokenUnit(view.snapshot),
        }
        const all = positions.map((position) => toPosition(position, view))
        const passing = all.filter((one) => state === undefined || one.state === state)
        const limit = request.limit ?? LIMITS.pageSize.default
        const of = [owner, state]
        const origin = { of, epoch: rests.epoch }
        const { items, part, ...page } = arrangeList(passing, 'positions', { ...request, limit }, origin)
        return { answer: { body: { positions: items, ...page, ...rests }, part } }
      },
    },
    rewards: {
      requires: 'data',
      handle: async ({ owner, epochs: most }, { signal }) => {
        const { view, total, claimable, epochs, earlier } = await rewardsOf(owner, most, signal())
        return {
          reply: {
            data: epochs.map(({ epoch, endedAt, rewards }) => ({
              epoch,
              endedAt: toIso(endedAt),
              rewards: String(rewards),
            })),
            earlier: String(earlier),
            total: String(total),
            claimableNow: {
              tokens: claimable.tokens,
              principal: String(claimable.principal),
              rewards: String(claimable.rewards),
            },
            epoch: view.snapshot.epoch.number,
            dataAgeSeconds: network.ageSeconds(view),
            nextChangeAt: toNextChangeAt(view.snapshot),
            ...toTokenUnit(view.snapshot),
            ...toHistoryState(view),
          },
        }
      },
    },
    delegators: {
      requires: 'data',
      handle: async (input, { signal }) => {
        const { validatorId, cursor: _cursor, limit, ...choice } = input
        const cursor = storeCursor('delegators', input)
        const view = network.read()
        if (!view.byId.has(validatorId)) throw unknownValidator()
        const page = await chain.delegatorsOf(validatorId, { after: cursor.place, limit }, signal())
        const delegators = page.delegators.map(({ owner, staked, tokens }) => ({
          owner,
          stakedAmount: String(staked),
          tokens,
        }))
        const body = {
          validatorId,
          delegators,
          syncing: page.kind === 'syncing',
          complete: page.isComplete,
          listedAt: page.listedAt === undefined ? null : toIso(page.listedAt),
          nextCursor: cursor.at(page.next),
          epoch: view.snapshot.epoch.number,
          dataAgeSeconds: network.ageSeconds(view),
          nextChangeAt: toNextChangeAt(view.snapshot),
          ...toTokenUnit(view.snapshot),
        }
        const list = ENDPOINTS.delegators.list
        // The store continues after the last owner of the page.
        const cursorAfter = (count: number) => cursor.at(delegators[count - 1]?.owner) ?? ''
        const part = {
          items: list.items,
          rest: page.next === undefined ? delegators.length : undefined,
          cursorAfter,
        }
        return { answer: { body: selectFields(body, list, choice), part } }
      },
    },
  } satisfies Endpoints
}

function toPosition({ token, state, next, availableAt }: Position, { byId }: NetworkView) {
  return {
    stakedTokenId: token.id,
    validatorId: token.validatorId,
    name: byId.get(token.validatorId)?.validator.name ?? null,
    principal: String(token.principal),
    rewards: String(token.rewards),
    state,
    activationEpoch: token.activationEpoch,
    withdrawEpoch: token.withdrawEpoch ?? null,
    availableAt: availableAt === undefined ? null : toIso(availableAt),
    next,
  }
}
