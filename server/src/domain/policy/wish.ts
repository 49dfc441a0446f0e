import type { NetworkName, StakedToken, StakingAction } from '#ports/chain/staking-chain.ts'
import type { PolicyRule, RuleOf } from '#ports/stores/policies.ts'
import type { MovedSums, Reservation } from '#ports/stores/reservations.ts'

/** One action of a wished transaction. */
export type WishItem = {
  readonly action: StakingAction['kind']
  readonly validatorId: string
  /** Stake or principal; rewards that come with it are not counted. */
  readonly amount: bigint
  /** Whether it takes from what counts as staked: a withdrawal that was asked for before has left already. */
  readonly leavesStake: boolean
  /** The token it takes from, with its whole principal; undefined for a stake. */
  readonly token: { readonly id: string; readonly principal: bigint } | undefined
  /** Of a join: the tokens that end; `token` stays. */
  readonly joinedIds?: readonly string[] | undefined
}

/** One transaction that somebody wants to have built. */
export type Wish = {
  readonly network: NetworkName
  /** Who signs; undefined: nobody has said. */
  readonly sender: string | undefined
  readonly items: readonly WishItem[]
  /** Whether the caller named the items in a list. */
  readonly isBatch: boolean
}

/** What the rules look at beside the wish. */
export type Facts = {
  readonly now: number
  readonly validator: (id: string) => { readonly score: number; readonly commission: number } | undefined
  /** What the sender has staked; undefined: nobody knows. */
  readonly tokens: readonly StakedToken[] | undefined
  readonly epoch: { readonly number: number; readonly endsAt: number }
  /** What was built for the agent and may still be carried out; oldest first. */
  readonly built: readonly Reservation[]
  /** What was built within the window and counts. */
  readonly used: (window: WindowName) => MovedSums
  /** From when on so much of it counts no more; undefined: nobody has looked. */
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
  readonly rule: PolicyRule['rule']
  /** The input that it is about. */
  readonly field: string
  readonly limit: string
  readonly actual: string
  /** When the same wish would keep the rule; undefined: time alone does not help. */
  readonly clearsAt: number | undefined
}

/** What a rule finds wrong; its name, and mostly the field, are added by the check. */
export type Found = Pick<Breach, 'limit' | 'actual' | 'clearsAt'> & { readonly field?: string }
