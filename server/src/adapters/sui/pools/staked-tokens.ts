import { isValidSuiAddress, normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils'
import type { StakedToken, StakingChain } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { ChainReader, Pool, TokenObject } from '../chain-reader.ts'
import { forRequest } from '../connection/attempt.ts'
import type { Conversation } from '../connection/conversation.ts'
import type { Endpoints } from '../connection/endpoints.ts'
import type { ChainObject } from '../connection/messages.ts'
import { present } from '../layouts/decode.ts'
import { cacheRefusals, shareReads } from '../share-reads.ts'
import { openRateBook, type RateBook } from './rate-book.ts'
import { FLAT, rewardsBetween, toShares } from './share-math.ts'

type Reads = Pick<StakingChain, 'stakedToken' | 'stakedTokens' | 'stakedTokensOf'>

/** Invalid addresses own nothing and invalid ids name no token, so no node is asked about them. */
export function readStakedTokens(endpoints: Endpoints, reader: ChainReader, clock: Clock): Reads {
  const tokenType = normalizeStructTag(reader.stakedTokenType)
  async function stakedTokens(
    ids: readonly string[],
    deadline: AbortSignal,
  ): Promise<readonly StakedToken[]> {
    const possible = ids.filter((id) => isValidSuiAddress(id))
    if (possible.length === 0) return []
    return endpoints.ask(
      forRequest(async (talk) => {
        const objects = await talk.objects(possible)
        return readTokens(
          talk,
          reader,
          objects.flatMap((object) => (object?.type === tokenType ? [object] : [])),
        )
      }),
      deadline,
    )
  }
  // A read takes several calls of the node's budget, so concurrent callers share one read.
  const readOfOwner = cacheRefusals(
    clock,
    shareReads((owner, signal) =>
      endpoints.ask(
        forRequest(async (talk) => readTokens(talk, reader, await talk.ownedBy(owner, tokenType))),
        signal,
      ),
    ),
  )
  return {
    stakedToken: async (id, deadline) => (await stakedTokens([id], deadline))[0],
    stakedTokens,
    stakedTokensOf: async (owner, deadline) =>
      isValidSuiAddress(owner) ? readOfOwner(normalizeSuiAddress(owner), deadline) : [],
  }
}

/** Objects without an owning address are not positions and are left out. */
const readTokens = (
  talk: Conversation,
  reader: ChainReader,
  objects: readonly ChainObject[],
): Promise<readonly StakedToken[]> =>
  completeTokens(
    talk,
    reader,
    objects.flatMap((object) =>
      object.owner === undefined ? [] : [reader.toToken({ ...object, owner: object.owner })],
    ),
  )

/** Adds the rewards to tokens. */
export async function completeTokens(
  talk: Conversation,
  reader: ChainReader,
  tokens: readonly TokenObject[],
): Promise<readonly StakedToken[]> {
  if (tokens.length === 0) return []
  const { epoch, pools } = await reader.readPools(talk, [...new Set(tokens.map((token) => token.poolId))])
  const poolOf = (token: TokenObject) =>
    present(pools.get(token.poolId), `pool ${token.poolId} of a staked token`)
  const earned = await earnedBy(talk, openRateBook(reader.rateTable), tokens, { epoch, poolOf })
  return tokens.map((token) => {
    const { poolId: _, ...rest } = token
    const { joinsIn, validatorId } = poolOf(token)
    const bound = joinsIn === undefined ? {} : { boundUntil: joinsIn }
    return { ...rest, ...bound, validatorId, ...(earned.get(token.id) ?? NOTHING_YET) }
  })
}

type Earned = Pick<StakedToken, 'rewards' | 'shares'>

const NOTHING_YET: Earned = { rewards: 0n, shares: undefined }

/** Rewards by token id, capped by the pool's rewards; tokens that are not active yet have no entry. */
async function earnedBy(
  talk: Conversation,
  book: RateBook,
  tokens: readonly TokenObject[],
  { epoch, poolOf }: { readonly epoch: number; readonly poolOf: (token: TokenObject) => Pool },
): Promise<ReadonlyMap<string, Earned>> {
  const earning = tokens.filter(({ activationEpoch }) => activationEpoch < epoch)
  const activations = earning.map((token) => ({ pool: poolOf(token), epoch: token.activationEpoch }))
  const ends = earning.map((token) => ({
    pool: poolOf(token),
    epoch: Math.min(token.withdrawEpoch ?? epoch, epoch),
  }))
  const rates = await book.ratesAt(talk, [...activations, ...ends])
  return new Map(
    earning.map((token, at) => {
      const [activated = FLAT, until = FLAT] = [rates[at], rates[earning.length + at]]
      const earned = rewardsBetween(token.principal, activated, until)
      const { rewardsPool } = poolOf(token)
      const shares = toShares(activated, token.principal)
      if (earned > rewardsPool) return [token.id, { rewards: rewardsPool, shares }]
      return [token.id, { rewards: earned, shares }]
    }),
  )
}
