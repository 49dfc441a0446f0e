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
import { rewardsBetween } from './share-math.ts'

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

/** Objects that no address owns are nobody's position and are left out. */
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
  const book = openRateBook(reader.rateTable)
  await book.load(
    talk,
    tokens.map((token) => ({ pool: poolOf(token), epochs: ratesNeeded(token, poolOf(token), epoch) })),
  )
  const complete: StakedToken[] = []
  for (const token of tokens) {
    const { poolId: _, ...rest } = token
    const pool = poolOf(token)
    const rewards = await rewardsOf(talk, book, pool, token, epoch)
    const bound = pool.joinsIn === undefined ? {} : { boundUntil: pool.joinsIn }
    complete.push({ ...rest, ...bound, validatorId: pool.validatorId, rewards })
  }
  return complete
}

type Staked = Pick<TokenObject, 'principal' | 'activationEpoch' | 'withdrawEpoch'>

const earnsUntil = (token: Staked, epoch: number) => Math.min(token.withdrawEpoch ?? epoch, epoch)

/** A pool that has stopped has no rates after its last one. */
function ratesNeeded(token: Staked, { lastEpoch }: Pool, epoch: number): readonly number[] {
  if (token.activationEpoch >= epoch) return []
  return [token.activationEpoch, earnsUntil(token, epoch)].map((needed) =>
    Math.min(needed, lastEpoch ?? needed),
  )
}

/** A pool pays rewards from what it has set aside for them, and never more. */
async function rewardsOf(
  talk: Conversation,
  book: RateBook,
  pool: Pool,
  token: Staked,
  epoch: number,
): Promise<bigint> {
  if (token.activationEpoch >= epoch) return 0n
  const activated = await book.rateAt(talk, pool, token.activationEpoch)
  const until = await book.rateAt(talk, pool, earnsUntil(token, epoch))
  const rewards = rewardsBetween(token.principal, activated, until)
  if (rewards > pool.rewardsPool) return pool.rewardsPool
  return rewards
}
