import type { StakedToken } from '#ports/chain/staking-chain.ts'
import { type Membership, type Moment, type WithdrawalPath, withdrawalPath } from '../epoch-rules.ts'

/** A staked token of the caller. */
export type HeldToken = Pick<
  StakedToken,
  'validatorId' | 'principal' | 'rewards' | 'activationEpoch' | 'withdrawEpoch'
> & { readonly stakedTokenId: string }

/** A staked token as callers name it in `positions`. */
export type Position = Pick<HeldToken, 'stakedTokenId' | 'validatorId' | 'principal'>

/** A part of a token's principal, and the rewards it has earned so far. */
export type TokenPart = {
  readonly token: HeldToken
  readonly principal: bigint
  readonly rewards: bigint
  /** Whether this part takes the whole token, or all that earlier parts have left of it. */
  readonly endsToken: boolean
}

/** The assumed state of a token that the chain does not know: active, without rewards. */
export const assumedToken = (position: Position): HeldToken => ({
  ...position,
  rewards: 0n,
  activationEpoch: 0,
  withdrawEpoch: undefined,
})

/** Principal and rewards: rewards are staked, too. */
export const tokenValue = ({ principal, rewards }: Pick<HeldToken, 'principal' | 'rewards'>): bigint =>
  principal + rewards

export const wholeToken = (token: HeldToken): TokenPart => ({
  token,
  principal: token.principal,
  rewards: token.rewards,
  endsToken: true,
})

export const partOfToken = (token: HeldToken, principal: bigint): TokenPart => ({
  token,
  principal,
  rewards: (token.rewards * principal) / token.principal,
  endsToken: principal === token.principal,
})

/**
 * Upper bound of the truncation when a token is split and paid out: a few shares, each worth a few smallest units.
 */
export const ROUNDING = 16n

/**
 * The least that withdrawing the part pays. Rewards only grow until then; later rewards come on top, and no step
 * depends on them.
 */
export function assuredPayout({ principal, rewards }: TokenPart): bigint {
  return rewards > ROUNDING ? principal + rewards - ROUNDING : principal
}

/** Whether withdrawal was requested before: such a token earns nothing and is, or becomes, coins. */
export const isRequested = ({ withdrawEpoch }: HeldToken): boolean => withdrawEpoch !== undefined

/** The least that withdrawals requested before pay out by an epoch. */
export const paidOutBy = (tokens: readonly HeldToken[], epoch: number): bigint =>
  tokens.reduce(
    (sum, token) =>
      (token.withdrawEpoch ?? Infinity) <= epoch ? sum + assuredPayout(wholeToken(token)) : sum,
    0n,
  )

/** Placeholder for the membership of a validator whose withdrawal was requested before: it no longer matters. */
export const NOWHERE: Membership = { inCommittee: false, inNextCommittee: false }

export type Exit = { readonly part: TokenPart; readonly path: WithdrawalPath; readonly atEpoch: number }

/** How a part is withdrawn if that is requested now, and in which epoch its coins arrive. */
export function exitOf(part: TokenPart, membership: Membership, moment: Moment): Exit {
  const path = withdrawalPath(part.token, membership, moment)
  return { part, path, atEpoch: path.kind === 'withdraw_now' ? moment.epoch.number : path.atEpoch }
}

/** Stake by validator (by default principal and rewards), without tokens whose withdrawal was requested. */
export function stakedByValidator(
  tokens: readonly HeldToken[],
  worth: (token: HeldToken) => bigint = tokenValue,
): ReadonlyMap<string, bigint> {
  const staked = new Map<string, bigint>()
  for (const token of tokens) {
    if (isRequested(token)) continue
    staked.set(token.validatorId, (staked.get(token.validatorId) ?? 0n) + worth(token))
  }
  return staked
}
