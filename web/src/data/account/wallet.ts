import type { Reply } from '@stakewright/client'
import { createStore } from '../store.ts'
import type { Earned } from './earned.ts'
import type { TokenBefore } from './lost-answer.ts'

/** A sandbox wallet: an address, its journal and its rewards. It lasts as long as the browser tab. */
export type JournalEntry = {
  readonly epoch: number
  readonly text: string
  readonly tone: 'good' | 'bad' | 'neutral'
}
export type Wallet = {
  readonly address: string
  readonly journal: readonly JournalEntry[]
  /** One item per epoch since something was staked. */
  readonly earned: readonly Earned[]
  readonly paidOut: string
  /** The transaction that was built and not executed yet. */
  readonly draft?: Draft | undefined
}
/** What the sandbox page shows of a transaction, of one action or of several. */
export type Built = Pick<
  Reply<'buildStake'>,
  'commands' | 'intent' | 'summary' | 'warnings' | 'requiresEpochWait' | 'nextCommitteeSelected'
> & {
  /** What each of several actions does. */
  readonly items?: readonly { readonly summary: string }[]
}
export type Draft = {
  readonly built: Built
  readonly title: string
  /** The epoch in which it was built, to which its statements refer. */
  readonly epoch: number
  /** The wallet's tokens when the transaction was sent, until an answer has come. */
  readonly sent?: readonly TokenBefore[] | undefined
}

const KEY = 'stakewright.wallet'

export const wallet = createStore<Wallet | undefined>(read())

function read(): Wallet | undefined {
  try {
    const text = sessionStorage.getItem(KEY)
    return text === null ? undefined : toWallet(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The stored wallet of this tab. A function declaration, because it is called before the lines below have run. */
function toWallet(stored: unknown): Wallet {
  return stored as Wallet
}

export function changeWallet(next: Wallet | undefined): void {
  wallet.set(next)
  try {
    if (next) sessionStorage.setItem(KEY, JSON.stringify(next))
    else sessionStorage.removeItem(KEY)
  } catch {
    // Without storage the wallet lasts until the next reload.
  }
}

export function newWallet(): Wallet {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const address = `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  return { address, journal: [], earned: [], paidOut: '0' }
}

/** Appends the figures of the epochs in between and of this epoch, replacing earlier figures of the same epochs. */
export function noteEarned(current: Wallet, item: Earned, between: readonly Earned[]): Wallet {
  const last = current.earned.at(-1)
  if (last && last.epoch === item.epoch && last.rewards === item.rewards && last.principal === item.principal)
    return current
  const [first = item] = between
  return {
    ...current,
    earned: [...current.earned.filter(({ epoch }) => epoch < first.epoch), ...between, item],
  }
}
