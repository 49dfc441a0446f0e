import type { ActiveSet } from './active-set.ts'
import { insertUpdateOrRemove, remove, update, updateOrRemove } from './active-set.ts'
import { add, check, divide, scale, subtract } from './machine.ts'
import type { Pool, Seats } from './pool.ts'
import {
  activate,
  addStake,
  advance,
  balanceAt,
  newPool,
  requestWithdrawal,
  withdraw,
  withdrawPool,
} from './pool.ts'
import type { StakedToken } from './values.ts'

/** The whole contract: its validators, committees and epochs. */
export type Contract = {
  epoch: number
  readonly pools: Map<string, Pool>
  committee: string[]
  nextCommittee: string[] | undefined
  readonly set: ActiveSet
  /** Rounding remainder of earlier rewards. */
  remaining: bigint
}

const LEAST = 1_000_000_000n
const SLASHING_BPS = 10_000n

export const newContract = (limits: ActiveSet['limits'], commissions: ReadonlyMap<string, number>) =>
  ({
    epoch: 0,
    pools: new Map([...commissions].map(([id, rate]) => [id, newPool(id, 0, rate)])),
    committee: [],
    nextCommittee: undefined,
    set: { limits, entries: [], total: 0n, changed: new Set() },
    remaining: 0n,
  }) satisfies Contract as Contract

export function poolOf(contract: Contract, id: string): Pool {
  const pool = contract.pools.get(id)
  check(pool !== undefined, 'validator_set', 2)
  return pool
}

const seatsOf = ({ committee, nextCommittee }: Contract, id: string): Seats => ({
  current: committee.includes(id),
  next: nextCommittee?.includes(id) ?? false,
})

export function stake(contract: Contract, id: string, amount: bigint): StakedToken {
  check(amount >= LEAST, 'validator_set', 4)
  const token = addStake(poolOf(contract, id), amount, contract.epoch, contract.nextCommittee !== undefined)
  review(contract, id, false)
  return token
}

export function requestToken(contract: Contract, token: StakedToken): void {
  const { validator } = token
  requestWithdrawal(poolOf(contract, validator), token, seatsOf(contract, validator), contract.epoch)
  review(contract, validator, false)
}

export function withdrawToken(contract: Contract, token: StakedToken): bigint {
  const { validator } = token
  const paid = withdraw(poolOf(contract, validator), token, seatsOf(contract, validator), contract.epoch)
  review(contract, validator, false)
  return paid
}

export function joinSet(contract: Contract, id: string): void {
  const pool = poolOf(contract, id)
  check(pool.state === 'pre-active', 'validator_set', 3)
  activate(pool, contract.epoch, contract.nextCommittee !== undefined)
  check(review(contract, id, true), 'validator_set', 8)
}

export function leaveSet(contract: Contract, id: string): void {
  const pool = poolOf(contract, id)
  check(typeof pool.state === 'string', 'validator_set', 5)
  withdrawPool(pool, contract.nextCommittee === undefined ? contract.epoch + 1 : contract.epoch + 2)
  remove(contract.set, id)
}

/** Updates the validator's entry with its future stake. A validator that loses its place is removed next epoch. */
function review(contract: Contract, id: string, mayEnter: boolean): boolean {
  const at = contract.nextCommittee === undefined ? contract.epoch + 1 : contract.epoch + 2
  const balance = balanceAt(poolOf(contract, id), at)
  const change = mayEnter ? insertUpdateOrRemove : updateOrRemove
  const { inSet, removed } = change(contract.set, id, balance)
  if (removed !== undefined) poolOf(contract, removed).state = { withdrawing: contract.epoch + 1 }
  return inSet
}

export function selectCommittee(contract: Contract): void {
  check(contract.nextCommittee === undefined, 'validator_set', 11)
  contract.nextCommittee = contract.set.entries.map(({ id }) => id)
}

/** An abort in here halts the chain for good. */
export function endEpoch(contract: Contract, reward: bigint, slashed: ReadonlySet<string>): void {
  check(contract.nextCommittee !== undefined, 'validator_set', 12)
  const epoch = contract.epoch + 1
  contract.remaining = add(contract.remaining, reward)
  const members = contract.committee
  const shares = shareRewards(contract.remaining, members, slashed)
  for (const [index, id] of members.entries()) {
    const share = shares[index] ?? 0n
    const pool = poolOf(contract, id)
    contract.remaining = subtract(contract.remaining, share)
    advance(pool, share, epoch)
    update(contract.set, id, balanceAt(pool, epoch))
  }
  contract.epoch = epoch
  contract.committee = contract.nextCommittee
  contract.nextCommittee = undefined
  for (const id of contract.committee) {
    const pool = poolOf(contract, id)
    if (pool.activation === epoch) advance(pool, 0n, epoch)
  }
  contract.set.changed.clear()
}

function shareRewards(total: bigint, members: readonly string[], slashed: ReadonlySet<string>): bigint[] {
  const equal = members.map(() => divide(total, BigInt(members.length)))
  const lost = equal.map((share, index) =>
    slashed.has(members[index] ?? '') ? scale(share, SLASHING_BPS, 10_000n) : undefined,
  )
  const lostByAll = lost.reduce<bigint>((sum, each) => add(sum, each ?? 0n), 0n)
  const present = lost.filter((each) => each === undefined).length
  return equal.map((share, index) => {
    const own = lost[index]
    return own === undefined ? add(share, divide(lostByAll, BigInt(present))) : subtract(share, own)
  })
}
