import type { NetworkName, StakedToken, StakingAction } from '#ports/chain/staking-chain.ts'
import type { PolicyRule, RuleOf } from '#ports/stores/policies.ts'
import type { MovedSums, Reservation } from '#ports/stores/reservations.ts'

/** One action of a wished transaction. */
export type WishItem = {
  readonly action: StakingAction['kind']
  readonly validatorId: string
  /** Stake or principal, without rewards. */
  readonly amount: bigint
  /** Whether it reduces the stake: the withdrawal of an unstaked token does not. */
  readonly leavesStake: boolean
  /** The token it takes from, with its whole principal; undefined for a stake. */
  readonly token: { readonly id: string; readonly principal: bigint } | undefined
  /** The tokens that a join merges into `token`. */
  readonly joinedIds?: readonly string[] | undefined
}

/** A requested transaction. */
export type Wish = {
  readonly network: NetworkName
  /** The signer; undefined: unknown. */
  readonly sender: string | undefined
  readonly items: readonly WishItem[]
  /** Whether the caller named the items in a list. */
  readonly isBatch: boolean
}

/** The data that rules check besides the wish. */
export type Facts = {
  readonly now: number
  readonly validator: (id: string) => { readonly score: number; readonly commission: number } | undefined
  /** The sender's tokens; undefined: unknown. */
  readonly tokens: readonly StakedToken[] | undefined
  readonly epoch: { readonly number: number; readonly endsAt: number }
  /** Built transactions of the agent that may still be executed, oldest first. */
  readonly built: readonly Reservation[]
  /** The sum of builds within the window. */
  readonly used: (window: WindowName) => MovedSums
  /** The time from which this much of it no longer counts; undefined: not computed. */
  readonly roomAt: (window: WindowName, actions: readonly string[], amount: bigint) => number | undefined
}

export type WindowName = RuleOf<'maxPerWindow'>['window']

/** Before anything was built. */
export const NOTHING_BUILT: Pick<Facts, 'built' | 'used' | 'roomAt'> = {
  built: [],
  used: () => ({ stake: 0n, unstake: 0n, withdraw: 0n, join: 0n }),
  roomAt: () => undefined,
}

/** A rule that a wish breaks. */
export type Breach = {
  readonly rule: PolicyRule['rule'] | 'oneTransactionPerToken' | 'openItems'
  /** The input field. */
  readonly field: string
  readonly limit: string
  readonly actual: string
  /** The time from which the same wish would keep the rule; undefined: waiting does not help. */
  readonly clearsAt: number | undefined
}

/** A breach as a rule reports it; the check adds the rule's name and usually the field. */
export type Found = Pick<Breach, 'limit' | 'actual' | 'clearsAt'> & Partial<Pick<Breach, 'field' | 'rule'>>
