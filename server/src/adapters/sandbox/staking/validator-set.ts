import { abortUnless } from '../transactions/abort.ts'
import type { World } from '../world/world.ts'
import { newId, replacePool } from '../world/world.ts'
import { enterMember, removeMember, updateMember } from './active-set.ts'
import type { Pool, PoolState } from './pool.ts'
import { rawBalanceAt } from './pool.ts'
import type { Standing } from './pool-staking.ts'
import { activationFor, addStake, requestWithdrawal, withdrawStake } from './pool-staking.ts'
import type { Token } from './staked-token.ts'
import { MIN_STAKE } from './staked-token.ts'

/** Upper bound of coins in existence, so that every amount fits into 64 bits for many years of rewards. */
const MAX_SUPPLY = 16_000_000_000_000_000_000n

export function poolOf(world: World, validatorId: string): Pool {
  const validator = world.validators.get(validatorId)
  abortUnless(validator !== undefined, 'unknownValidator')
  return validator.pool
}

export function standingOf(world: World, validatorId: string): Standing {
  return {
    epoch: world.epoch,
    selected: world.nextCommittee !== undefined,
    inCommittee: world.committee.includes(validatorId),
    inNextCommittee: world.nextCommittee?.includes(validatorId) ?? false,
  }
}

/** Mints coins and records them in the ledger. */
export function lendCoins(world: World, amount: bigint): void {
  abortUnless(amount <= coinsLeft(world), 'supplyExhausted')
  world.ledger = { ...world.ledger, minted: world.ledger.minted + amount }
}

/** Coins that can still be lent to all keys together. */
export const coinsLeft = ({ ledger: { minted, rewards, paidOut } }: World): bigint =>
  MAX_SUPPLY - (minted + rewards - paidOut)

export function payCoins(world: World, amount: bigint): void {
  world.ledger = { ...world.ledger, paidOut: world.ledger.paidOut + amount }
}

export function stakeCoins(world: World, owner: string, validatorId: string, amount: bigint): Token {
  abortUnless(amount >= MIN_STAKE, 'belowMinimum')
  const pool = poolOf(world, validatorId)
  const made = addStake(pool, { id: newId(world), owner, amount }, standingOf(world, validatorId))
  world.tokens.set(made.token.id, made.token)
  replacePool(world, made.pool)
  reviewMember(world, validatorId)
  return made.token
}

export function requestToken(world: World, token: Token): Token {
  const pool = poolOf(world, token.validatorId)
  const requested = requestWithdrawal(pool, token, standingOf(world, token.validatorId))
  world.tokens.set(token.id, requested.token)
  replacePool(world, requested.pool)
  reviewMember(world, token.validatorId)
  return requested.token
}

/** Destroys the token and returns what it pays. */
export function withdrawToken(world: World, token: Token): bigint {
  const pool = poolOf(world, token.validatorId)
  const withdrawn = withdrawStake(pool, token, standingOf(world, token.validatorId))
  world.tokens.delete(token.id)
  replacePool(world, withdrawn.pool)
  reviewMember(world, token.validatorId)
  return withdrawn.paid
}

/** Makes a candidate a validator, if it has the joining stake. */
export function joinSet(world: World, validatorId: string): void {
  const pool = poolOf(world, validatorId)
  abortUnless(pool.state.kind === 'candidate', 'notCandidate')
  const since = activationFor(standingOf(world, validatorId))
  replacePool(world, { ...pool, state: { kind: 'active', since } })
  const change = enterMember(world.activeSet, validatorId, stakeAfterActivation(world, validatorId))
  abortUnless(change.inSet, 'cannotJoin')
  world.activeSet = change.set
  if (change.removed !== undefined) deactivate(world, change.removed, world.epoch + 1)
}

/** A validator leaves voluntarily, or a candidate gives up. */
export function leaveSet(world: World, validatorId: string): void {
  const { kind } = poolOf(world, validatorId).state
  abortUnless(kind === 'candidate' || kind === 'active', 'alreadyRemoved')
  deactivate(world, validatorId, activationFor(standingOf(world, validatorId)))
  world.activeSet = removeMember(world.activeSet, validatorId)
}

/** The new commission takes effect after two epochs, so that stakers can react. */
export function announceCommission(world: World, validatorId: string, commissionBps: number): void {
  const pool = poolOf(world, validatorId)
  const nextCommissions = new Map(pool.nextCommissions).set(world.epoch + 2, commissionBps)
  replacePool(world, { ...pool, nextCommissions })
}

/** Called after every stake and withdrawal: removes a validator below the joining stake from the set. */
function reviewMember(world: World, validatorId: string): void {
  const change = updateMember(world.activeSet, validatorId, stakeAfterActivation(world, validatorId))
  world.activeSet = change.set
  if (change.removed !== undefined) deactivate(world, change.removed, world.epoch + 1)
}

function stakeAfterActivation(world: World, validatorId: string): bigint {
  const rest = rawBalanceAt(poolOf(world, validatorId), activationFor(standingOf(world, validatorId)))
  abortUnless(rest >= 0n, 'underflow')
  return rest
}

function deactivate(world: World, validatorId: string, at: number): void {
  const pool = poolOf(world, validatorId)
  const state: PoolState =
    'since' in pool.state ? { kind: 'withdrawing', since: pool.state.since, at } : { kind: 'removed' }
  replacePool(world, { ...pool, state })
}
