import type { DelegatorPage, StakingChain, Validator } from '#ports/chain/staking-chain.ts'
import { MAX_U64 } from '../../../basics/u64.ts'
import type { ChainReader } from '../chain-reader.ts'
import { forRefresh, forRequest } from '../connection/attempt.ts'
import type { Endpoints } from '../connection/endpoints.ts'
import { completeTokens } from '../pools/staked-tokens.ts'
import { type Claimable, type HolderIndex, openHolderIndex } from './holder-index.ts'
import type { Holding, Listing, ListNeeds } from './list-holders.ts'

type Needs = Omit<Parameters<typeof openHolderIndex>[0], 'claimableOf' | 'toToken'> & {
  readonly reader: ChainReader
  readonly endpoints: Endpoints
}

type Holders = Pick<StakingChain, 'delegatorsOf'> & {
  /** Adds `claimableStake` to the validators, where it is known for this epoch. */
  withClaimable(validators: readonly Validator[], epoch: number): readonly Validator[]
  readonly index: HolderIndex
}

const NOT_LISTED: DelegatorPage = {
  kind: 'syncing',
  delegators: [],
  next: undefined,
  isComplete: false,
  listedAt: undefined,
}

/** Without a source the delegators are unknown, because a full node lists objects by owner only. */
export const unknownHolders: Pick<StakingChain, 'delegatorsOf'> = { delegatorsOf: async () => NOT_LISTED }

export function openHolders({ reader, endpoints, ...needs }: Needs): Holders {
  const toToken: ListNeeds['toToken'] = (object) => reader.toToken(object)

  async function claimableOf({ withdrawing }: Listing, signal: AbortSignal): Promise<Claimable> {
    return endpoints.ask(
      forRefresh(async (talk) => {
        const { snapshot, pools: all } = await reader.readState(talk)
        const epoch = snapshot.epoch.number
        const known = new Set(all.map(({ validatorId }) => validatorId))
        // Tokens of pools unknown to the full node are skipped: they are an error of the source, not of the node.
        const due = withdrawing.filter(
          ({ poolId, withdrawEpoch = epoch + 1 }) => withdrawEpoch <= epoch && known.has(poolId),
        )
        const byValidator = new Map<string, bigint>()
        for (const { validatorId, principal, rewards } of await completeTokens(talk, reader, due))
          byValidator.set(validatorId, (byValidator.get(validatorId) ?? 0n) + principal + rewards)
        return { epoch, byValidator }
      }),
      signal,
    )
  }

  const index = openHolderIndex({ ...needs, toToken, claimableOf })
  const pools = new Map<string, string>()

  /** On Sui tokens contain the id of the pool, not that of the validator. */
  async function poolOf(validatorId: string, deadline: AbortSignal): Promise<string> {
    const known = pools.get(validatorId)
    if (known !== undefined) return known
    const read = await endpoints.ask(
      forRequest((talk) => reader.readPools(talk, [validatorId])),
      deadline,
    )
    for (const [poolId, pool] of read.pools) pools.set(pool.validatorId, poolId)
    return pools.get(validatorId) ?? validatorId
  }

  return {
    index,
    async delegatorsOf(validatorId, page, deadline) {
      const list = index.latest()
      if (!list) return NOT_LISTED
      const held = list.byPool.get(await poolOf(validatorId, deadline))
      return { ...pageOf(held ?? new Map(), page), isComplete: list.isComplete, listedAt: list.at }
    },
    withClaimable(validators, epoch) {
      const claimable = index.latest(epoch)?.claimable
      if (claimable?.epoch !== epoch) return validators
      return validators.map((validator) => {
        const sum = validator.claimableStake ?? claimable.byValidator.get(validator.id) ?? 0n
        return { ...validator, claimableStake: sum > MAX_U64 ? undefined : sum }
      })
    },
  }
}

function pageOf(
  held: ReadonlyMap<string, Holding>,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
) {
  const all = [...held]
    .filter(([owner]) => after === undefined || owner > after)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const delegators = all.slice(0, Math.max(1, limit)).map(([owner, holding]) => ({ owner, ...holding }))
  const next = delegators.length < all.length ? delegators.at(-1)?.owner : undefined
  return { kind: 'ready', delegators, next } as const
}
