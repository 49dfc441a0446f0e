import { hash } from 'node:crypto'
import type { ActiveSet } from '../staking/active-set.ts'
import type { Pool } from '../staking/pool.ts'
import type { Token } from '../staking/staked-token.ts'
import type { Holder } from './holder.ts'

export type SandboxValidator = {
  readonly id: string
  readonly name: string
  /** Probability of missing an epoch, in thousandths. */
  readonly missesPerMille: number
  /** Whether its operator changes the commission now and then. */
  readonly restless: boolean
  readonly pool: Pool
}

/** Stake, commission and performance of each validator in one completed epoch, in the order of the validators. */
type EpochRow = {
  readonly epoch: number
  readonly endedAt: number
  readonly validators: readonly ValidatorRow[]
}

export type ValidatorRow = {
  readonly stake: bigint
  readonly commissionBps: number
  readonly performed: boolean | undefined
}

/** Totals of all coins that came in and went out; the chain holds the difference. */
type Ledger = { readonly minted: bigint; readonly rewards: bigint; readonly paidOut: bigint }

/** Use of the sandbox by one key. */
export type Account = {
  /** Coins lent to the key, minus coins paid out to it; never below zero. */
  readonly loan: bigint
  /** The hour that `epochs` counts in. */
  readonly hour: number
  readonly epochs: number
}

/** The effects of a transaction as text, and the last epoch in which it could still be executed. */
export type Executed = {
  readonly until: number
  readonly effects: string
  /** Undefined: executed without a key. */
  readonly holder?: Holder | undefined
}

/** The state of the whole chain. Its parts are immutable; a change replaces them in a fork of the world. */
export type World = {
  readonly seed: number
  readonly chainId: string
  readonly genesisAt: number
  epoch: number
  epochStartedAt: number
  committee: readonly string[]
  /** Undefined until the middle of the epoch. */
  nextCommittee: readonly string[] | undefined
  activeSet: ActiveSet
  readonly validators: Map<string, SandboxValidator>
  readonly tokens: Map<string, Token>
  /** By the id of the key's agent, or of the network address for epochs alone. */
  readonly accounts: Map<string, Account>
  /** Executed transactions by digest, oldest first; repeats are not executed. */
  readonly executed: Map<string, Executed>
  /** Rewards that were not shared out, for the next epoch. */
  pot: bigint
  readonly rewardsPerYear: bigint
  ledger: Ledger
  history: readonly EpochRow[]
  /** Number of objects created so far; ids are derived from it. */
  objects: number
  /** Number of stored changes, and the latest time of one. Neither ever decreases. */
  changes: number
  changedAt: number
}

/** A copy to change: an abort discards it and leaves the original as it was. */
export function forkWorld(world: World): World {
  return {
    ...world,
    validators: new Map(world.validators),
    tokens: new Map(world.tokens),
    accounts: new Map(world.accounts),
    executed: new Map(world.executed),
  }
}

export function newId(world: World): string {
  world.objects += 1
  return idFrom(world.chainId, world.objects)
}

export function idFrom(chainId: string, number: number): string {
  return `0x${hash('sha256', `${chainId}:${number}`)}`
}

export function replacePool(world: World, pool: Pool): void {
  const validator = world.validators.get(pool.id)
  if (validator !== undefined && validator.pool !== pool)
    world.validators.set(pool.id, { ...validator, pool })
}
