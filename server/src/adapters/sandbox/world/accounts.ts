import { Fault } from '../../../fault.ts'
import type { Account, World } from './world.ts'

/** The limits of each key, so that one key cannot use up the sandbox. */
export type Allowance = {
  readonly loan: bigint
  readonly epochsPerHour: number
  /** Limit of all keys of one network address together: anybody can get more keys. */
  readonly epochsPerHourOfNetwork: number
}

/** The key that borrows coins, and its limits. */
type Borrower = { readonly id: string; readonly allowance: Allowance }

const COIN = 1_000_000_000n
const HOUR_MS = 3_600_000
const NOTHING: Account = {
  loan: 0n,
  hour: 0,
  epochs: 0,
}

/** The coins that a transaction borrows and pays out, and the coins left to lend before it. */
type Coins = { readonly lent: bigint; readonly paidOut: bigint; readonly left: bigint }

/** One transaction may borrow at most 1/100 of the coins left, so that many keys never exhaust the supply. */
const LEFT_DIVISOR = 100n

/** Charges the coins of a transaction to the key; coins paid out by the chain reduce its loan. */
export function chargeLoan(world: World, { id, allowance }: Borrower, { lent, paidOut, left }: Coins): void {
  const account = world.accounts.get(id) ?? NOTHING
  const wanted = lent - paidOut
  const room = smaller(allowance.loan - account.loan, left / LEFT_DIVISOR)
  if (wanted > 0n && wanted > room) throw loanRefused(notBelowZero(room))
  setAccount(world, id, { ...account, loan: notBelowZero(account.loan + wanted) })
}

/**
 * Reduces the loan of a key by an amount that another key of its owner has paid back. A negative amount increases the
 * loan.
 */
export function repayLoan(world: World, id: string, amount: bigint): void {
  const account = world.accounts.get(id) ?? NOTHING
  setAccount(world, id, { ...account, loan: notBelowZero(account.loan - amount) })
}

/** Charges the epochs to the key and to the network address it is used from. */
export function chargeEpochs(
  world: World,
  { id, networkId, allowance }: Borrower & { readonly networkId: string },
  epochs: number,
  now: number,
): void {
  const hour = Math.floor(now / HOUR_MS)
  forgetHours(world, hour)
  for (const [account, most, who] of [
    [id, allowance.epochsPerHour, 'A key moves'],
    [networkId, allowance.epochsPerHourOfNetwork, 'The keys of one network together move'],
  ] as const) {
    const before = world.accounts.get(account) ?? NOTHING
    const used = before.hour === hour ? before.epochs : 0
    if (used + epochs > most) throw tooManyEpochs(who, most, (hour + 1) * HOUR_MS - now)
    setAccount(world, account, { ...before, hour, epochs: used + epochs })
  }
}

function tooManyEpochs(who: string, most: number, leftMs: number): Fault {
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1_000))
  return new Fault(
    'rate_limited',
    `${who} the sandbox by ${most} epochs an hour. Try again in ${retryAfterSeconds} s, or wait for the epochs.`,
    { retryAfterSeconds },
  )
}

const notBelowZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n)

/** `Math.min` takes no bigint. */
function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

/** Empty accounts are not stored. */
function setAccount(world: World, id: string, account: Account): void {
  if (account.loan === 0n && account.epochs === 0) world.accounts.delete(id)
  else world.accounts.set(id, account)
}

function forgetHours(world: World, present: number): void {
  for (const [id, account] of world.accounts) {
    if (account.hour !== present) setAccount(world, id, { ...account, epochs: 0 })
  }
}

/** In whole coins, to the unit. */
function printCoins(amount: bigint): string {
  const rest = (amount % COIN).toString().padStart(9, '0').replace(/0+$/, '')
  return `${amount / COIN}${rest === '' ? '' : `.${rest}`} SBX`
}

function loanRefused(room: bigint): Fault {
  const fix = 'Unstake and withdraw to pay coins back, or stake less.'
  const most = `may borrow ${printCoins(room)} more`
  return new Fault('forbidden', `The sandbox does not lend that much: this key ${most}. ${fix}`, {
    fix,
    details: [{ field: 'commands', message: most }],
  })
}
