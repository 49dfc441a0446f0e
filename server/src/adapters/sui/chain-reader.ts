import type { ChainSnapshot, Command, StakingAction } from '#ports/chain/staking-chain.ts'
import type { Conversation } from './connection/conversation.ts'
import type { ChainObject } from './connection/messages.ts'
import type { Rate } from './pools/share-math.ts'

/** The table of a pool's exchange rates, and the epochs between which it has entries. */
export type Pool = {
  readonly validatorId: string
  readonly ratesTableId: string
  /** Undefined until the pool is active. */
  readonly activationEpoch: number | undefined
  /** The epoch in which the pool stops; its rate is fixed from then on. */
  readonly lastEpoch: number | undefined
  readonly rewardsPool: bigint
  readonly commissionBps: number
  /** The epoch in which its validator joins; until then the chain pays nothing out (Sui). */
  readonly joinsIn?: number | undefined
}

/** The BCS layouts of keys and values in a table of exchange rates. */
export type RateTable = {
  readonly keyType: 'u32' | 'u64'
  /** Whether a rate is recorded after the stake that joins with its epoch (Sui), or before (Ika, Walrus). */
  readonly includesJoining: boolean
  encodeKey(epoch: number): Uint8Array
  decodeEntry(contents: Uint8Array): { readonly epoch: number; readonly rate: Rate }
}

export type ChainState = { readonly snapshot: ChainSnapshot; readonly pools: readonly Pool[] }

/** A staked token as stored on the chain: without its rewards, and with its pool instead of its validator. */
export type TokenObject = {
  readonly id: string
  readonly owner: string
  readonly poolId: string
  readonly principal: bigint
  readonly activationEpoch: number
  readonly withdrawEpoch: number | undefined
}

/** The part of reading that differs between networks. */
export type ChainReader = {
  readonly stakedTokenType: string
  readonly rateTable: RateTable
  readState(talk: Conversation): Promise<ChainState>
  /** The present epoch and the pools with these ids; a pool that does not exist is left out. */
  readPools(
    talk: Conversation,
    poolIds: readonly string[],
  ): Promise<{ readonly epoch: number; readonly pools: ReadonlyMap<string, Pool> }>
  toToken(object: ChainObject & { readonly owner: string }): TokenObject
  commandsFor(snapshot: ChainSnapshot, action: StakingAction): readonly Command[]
}
