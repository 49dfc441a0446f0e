import { abortUnless } from '../transactions/abort.ts'
import type { Holder } from '../world/holder.ts'

/** A staked token: the object that its owner holds, split and joined like a coin. */
export type Token = {
  readonly id: string
  readonly owner: string
  readonly validatorId: string
  readonly principal: bigint
  readonly activationEpoch: number
  /** Set once withdrawal was requested. */
  readonly withdrawEpoch: number | undefined
  /** Undefined for tokens of simulated delegators, and for those that were staked without a key. */
  readonly holder?: Holder | undefined
}

export const MIN_STAKE = 1_000_000_000n

export function mintToken(token: Omit<Token, 'withdrawEpoch' | 'holder'>): Token {
  abortUnless(token.principal >= MIN_STAKE, 'smallStake')
  return { ...token, withdrawEpoch: undefined }
}

export function requestToken(token: Token, withdrawEpoch: number): Token {
  abortUnless(token.withdrawEpoch === undefined, 'alreadyWithdrawing')
  return { ...token, withdrawEpoch }
}

/** Splits off a token of `amount`; both tokens keep the state of the original. */
export function splitToken(token: Token, amount: bigint, id: string): { rest: Token; part: Token } {
  abortUnless(token.principal > amount, 'invalidSplit')
  abortUnless(amount >= MIN_STAKE, 'smallStake')
  abortUnless(token.principal - amount >= MIN_STAKE, 'smallStake')
  return {
    rest: { ...token, principal: token.principal - amount },
    part: { ...token, id, principal: amount },
  }
}

export function joinTokens(token: Token, other: Token): Token {
  abortUnless(token.validatorId === other.validatorId, 'unlikeStakes')
  abortUnless(token.activationEpoch === other.activationEpoch, 'unlikeStakes')
  abortUnless(token.withdrawEpoch === other.withdrawEpoch, 'unlikeStakes')
  return { ...token, principal: token.principal + other.principal }
}
