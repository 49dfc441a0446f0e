import { TIERS, type Tier } from '@stakewright/contract'
import type { NetworkView } from '#domain/network/network-view.ts'

/** How many validators have a past to compare. */
export const comparableIn = ({ scored }: NetworkView): number =>
  scored.filter(({ quality }) => quality.epochs > 0).length

/** How many of the comparable validators a tier sees, and how many it does not; undefined: it sees all. */
function seenBy(comparable: number, tier: Tier) {
  const { visibleValidators: seen } = TIERS[tier]
  const hidden = comparable - seen
  return hidden > 0 ? { seen, hidden } : undefined
}

/** What a tier does not see is no part of the comparison that the certificate proves. */
export function hiddenByTier(comparable: number, tier: Tier): readonly string[] {
  const { seen, hidden } = seenBy(comparable, tier) ?? {}
  return seen === undefined
    ? []
    : [
        `Only the ${seen} best validators by score are compared, which the tier ${tier} sees; ${hidden} more are not.`,
      ]
}

/** The oracle of a backtest is the most that the network paid, whatever a tier sees. */
export function hiddenFromPolicy(comparable: number, tier: Tier): readonly string[] {
  const { seen, hidden } = seenBy(comparable, tier) ?? {}
  return seen === undefined
    ? []
    : [
        `In each epoch, the policy and the plain rules choose among the ${seen} best validators by score, which the tier ${tier} sees. The oracle fills all: now these are ${hidden} more.`,
      ]
}

/** Withdrawn stake counts for `keepLiquid`, so that less of the amount is held back for it. */
export const countedAsLiquid = (atHand: bigint): readonly string[] =>
  atHand > 0n
    ? [
        `You can withdraw ${atHand} smallest units in time: they count for \`keepLiquid\`, so do not stake them as well.`,
      ]
    : []

/** `allocate` moves nothing, and a reader might take an excluded validator for one that holds nothing. */
export const heldButExcluded = (
  tokens: readonly { readonly validatorId: string }[],
  exclude: ReadonlySet<string> | undefined,
): readonly string[] =>
  tokens.some(({ validatorId }) => exclude?.has(validatorId))
    ? ['What you hold with excluded validators stays there: only a rebalance plan takes it out.']
    : []
