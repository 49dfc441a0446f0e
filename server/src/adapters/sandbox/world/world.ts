import { hash } from 'node:crypto'
import type { ActiveSet } from '../staking/active-set.ts'
import type { Pool } from '../staking/pool.ts'
import type { Token } from '../staking/staked-token.ts'

export type SandboxValidator = {
  readonly id: string
  readonly name: string
  /** How many of a thousand epochs it misses. */
  readonly missesPerMille: number
  /** Whether its operator changes the commission now and then. */
  readonly restless: boolean
  readonly pool: Pool
}

/** What each validator did in one completed epoch, in the order of the validators. */
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

/** Where every coin came from and went: what the chain holds is always the difference. */
type Ledger = { readonly minted: bigint; readonly rewards: bigint; readonly paidOut: bigint }

/** What one key has had of the sandbox. */
export type Account = {
  /** Coins that it was lent and has not been paid out again. */
  readonly loan: bigint
  /** The hour that `epochs` counts in. */
  readonly hour: number
  readonly epochs: number
}

/** What a transaction did, as text, and the epoch until which it could still be executed. */
type Executed = { readonly until: number; readonly effects: string }

/** The whole chain. Its parts are values; a change puts new ones in their place, in a fork of its own. */
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
  /** What each key was lent, by the id of its agent. */
  readonly accounts: Map<string, Account>
  /** Transactions that were executed and must not be again, by their digest, the oldest first. */
  readonly executed: Map<string, Executed>
  /** Rewards that rounding has left for the next epoch. */
  pot: bigint
  readonly rewardsPerYear: bigint
  ledger: Ledger
  history: readonly EpochRow[]
  /** Every object gets the next number, so that no id comes twice. */
  objects: number
  /** Committed changes, and the latest time at which one was made: together they never go back. */
  changes: number
  changedAt: number
}

/** A copy to work on: the original stays as it is, so that an abort leaves nothing behind. */
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
