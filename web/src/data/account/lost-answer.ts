import { StakewrightError } from '@stakewright/client'
import type { HeldToken, Holding } from '../positions.ts'

/** What tells whether a transaction has touched a token: rewards and states change by themselves. */
export type TokenBefore = Pick<HeldToken, 'stakedTokenId' | 'principal' | 'rewards' | 'withdrawEpoch'>

export const tokensBefore = ({ tokens }: Holding): readonly TokenBefore[] =>
  tokens.map(({ stakedTokenId, principal, rewards, withdrawEpoch }) => ({
    stakedTokenId,
    principal,
    rewards,
    withdrawEpoch,
  }))

/** Whether the chain shows that something was executed since. Only this tab acts for its wallet. */
export function isShown(before: readonly TokenBefore[], { tokens }: Holding): boolean {
  const textOf = (all: readonly TokenBefore[]) =>
    JSON.stringify(
      all
        .map(({ stakedTokenId, principal, withdrawEpoch }) => [stakedTokenId, principal, withdrawEpoch])
        .toSorted(),
    )
  return textOf(before) !== textOf(tokens)
}

/** What was paid out for the tokens that are gone, as the chain showed them last. */
export const paidFor = (before: readonly TokenBefore[], { tokens }: Holding): bigint =>
  before
    .filter(({ stakedTokenId }) => tokens.every((one) => one.stakedTokenId !== stakedTokenId))
    .reduce((sum, { principal, rewards }) => sum + BigInt(principal) + BigInt(rewards), 0n)

/** Whether the service has said no. Any other failure leaves open whether the request was carried out. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof StakewrightError && (error.status ?? 0) >= 400 && (error.status ?? 0) < 500
