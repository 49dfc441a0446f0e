import { add, check, scale, subtract } from './machine.ts'

/** Exchange rates, amounts by epoch, and staked tokens: what the pool of a validator is made of. */

export type Rate = 'flat' | { readonly tokens: bigint; readonly shares: bigint }

export function makeRate(tokens: bigint, shares: bigint): Rate {
  check(shares <= tokens, 'token_exchange_rate', 0)
  if (tokens === 0n || shares === 0n) return 'flat'
  return { tokens, shares }
}

export const sharesFor = (rate: Rate, tokens: bigint): bigint =>
  rate === 'flat' ? tokens : scale(tokens, rate.shares, rate.tokens)

export const tokensFor = (rate: Rate, shares: bigint): bigint =>
  rate === 'flat' ? shares : scale(shares, rate.tokens, rate.shares)

/** Amounts that wait for their epoch. */
export type Pending = Map<number, bigint>

export function addAt(pending: Pending, epoch: number, value: bigint): void {
  pending.set(epoch, add(pending.get(epoch) ?? 0n, value))
}

export function reduceAt(pending: Pending, epoch: number, value: bigint): void {
  const current = pending.get(epoch)
  check(current !== undefined, 'pending_values', 0)
  check(current >= value, 'pending_values', 1)
  pending.set(epoch, current - value)
}

export function valueAt(pending: Pending, epoch: number): bigint {
  let sum = 0n
  for (const [due, value] of pending) if (due <= epoch) sum = add(sum, value)
  return sum
}

export function flush(pending: Pending, epoch: number): bigint {
  const sum = valueAt(pending, epoch)
  for (const due of [...pending.keys()]) if (due <= epoch) pending.delete(due)
  return sum
}

export type StakedToken = {
  validator: string
  principal: bigint
  activation: number
  /** Undefined: no withdrawal was requested. */
  withdrawal: number | undefined
}

const LEAST = 1_000_000_000n

export function mint(validator: string, principal: bigint, activation: number): StakedToken {
  check(principal >= LEAST, 'staked_token', 4)
  return { validator, principal, activation, withdrawal: undefined }
}

export function setWithdrawing(token: StakedToken, epoch: number): void {
  check(token.withdrawal === undefined, 'staked_token', 3)
  token.withdrawal = epoch
}

export function canWithdrawEarly(token: StakedToken, inNextCommittee: boolean, epoch: number): boolean {
  if (token.withdrawal !== undefined) return false
  return token.activation === epoch + 2 || (token.activation === epoch + 1 && !inNextCommittee)
}

export function split(token: StakedToken, amount: bigint): StakedToken {
  check(token.principal > amount, 'staked_token', 2)
  check(amount >= LEAST, 'staked_token', 4)
  check(token.principal - amount >= LEAST, 'staked_token', 4)
  token.principal = subtract(token.principal, amount)
  return { ...token, principal: amount }
}

/** Merges the other token into `token`; the caller deletes it. */
export function join(token: StakedToken, other: StakedToken): void {
  check(token.validator === other.validator, 'staked_token', 1)
  check(token.activation === other.activation, 'staked_token', 1)
  if (token.withdrawal === undefined) check(other.withdrawal === undefined, 'staked_token', 1)
  else {
    check(other.withdrawal !== undefined, 'staked_token', 1)
    check(token.withdrawal === other.withdrawal, 'staked_token', 1)
  }
  token.principal = add(token.principal, other.principal)
}
