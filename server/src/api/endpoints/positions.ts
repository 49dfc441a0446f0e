import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { Position, readPositions } from '#domain/staking/read-positions.ts'
import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { Endpoints } from '../endpoint.ts'
import { unknownValidator } from './refusals.ts'
import { toIso } from './shapes.ts'

type Needs = {
  readonly chain: StakingChain
  readonly network: CurrentNetwork
  readonly positionsOf: ReturnType<typeof readPositions>
}

/** Who holds what. */
export function positionEndpoints({ chain, network, positionsOf }: Needs) {
  return {
    positions: {
      requires: 'data',
      handle: async ({ owner }, { signal }) => {
        const { view, positions } = await positionsOf(owner, signal())
        return {
          reply: {
            positions: positions.map(toPosition),
            epoch: view.snapshot.epoch.number,
            dataAgeSeconds: network.ageSeconds(view),
          },
        }
      },
    },
    delegators: {
      requires: 'data',
      handle: async ({ validatorId, cursor, limit }, { signal }) => {
        const view = network.read()
        if (!view.byId.has(validatorId)) throw unknownValidator()
        const page = await chain.delegatorsOf(validatorId, { after: cursor, limit }, signal())
        return {
          reply: {
            validatorId,
            delegators: page.delegators.map(({ owner, staked, tokens }) => ({
              owner,
              stakedAmount: String(staked),
              tokens,
            })),
            syncing: page.kind === 'syncing',
            nextCursor: page.next ?? null,
            epoch: view.snapshot.epoch.number,
            dataAgeSeconds: network.ageSeconds(view),
          },
        }
      },
    },
  } satisfies Endpoints
}

function toPosition({ token, state, next, availableAt }: Position) {
  return {
    stakedTokenId: token.id,
    validatorId: token.validatorId,
    principal: String(token.principal),
    rewards: String(token.rewards),
    state,
    activationEpoch: token.activationEpoch,
    withdrawEpoch: token.withdrawEpoch ?? null,
    availableAt: availableAt === undefined ? null : toIso(availableAt),
    next,
  }
}
