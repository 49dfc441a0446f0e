import { StakewrightError } from '@stakewright/client'
import type { HeldToken, Holding } from '../positions.ts'

/** A token before a transaction. Without its state, which changes by itself. */
export type TokenBefore = Pick<HeldToken, 'stakedTokenId' | 'principal' | 'rewards' | 'withdrawEpoch'>

export const tokensBefore = ({ tokens }: Holding): readonly TokenBefore[] =>
  tokens.map(({ stakedTokenId, principal, rewards, withdrawEpoch }) => ({
    stakedTokenId,
    principal,
    rewards,
    withdrawEpoch,
  }))

/**
 * Whether the chain shows that a transaction was executed since. Only this tab acts for its wallet. Rewards are not
 * compared, because they change by themselves.
 */
export function isShown(before: readonly TokenBefore[], { tokens }: Holding): boolean {
  const textOf = (all: readonly TokenBefore[]) =>
    JSON.stringify(
      all
        .map(({ stakedTokenId, principal, withdrawEpoch }) => [stakedTokenId, principal, withdrawEpoch])
        .toSorted(),
    )
  return textOf(before) !== textOf(tokens)
}

/** The amount paid out for tokens that no longer exist, as the chain last showed them. */
export const paidFor = (before: readonly TokenBefore[], { tokens }: Holding): bigint =>
  before
    .filter(({ stakedTokenId }) => tokens.every((one) => one.stakedTokenId !== stakedTokenId))
    .reduce((sum, { principal, rewards }) => sum + BigInt(principal) + BigInt(rewards), 0n)

/** Whether the service refused the request. After any other failure the outcome is unknown. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof StakewrightError && (error.status ?? 0) >= 400 && (error.status ?? 0) < 500
