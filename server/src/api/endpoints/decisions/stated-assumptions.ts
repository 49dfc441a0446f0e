import { TIERS, type Tier } from '@stakewright/contract'
import type { NetworkView } from '#domain/network/network-view.ts'

/** The number of validators with recorded epochs. */
export const comparableIn = ({ scored }: NetworkView): number =>
  scored.filter(({ quality }) => quality.epochs > 0).length

/** The numbers of comparable validators that a tier sees and does not see; undefined: it sees all. */
function seenBy(comparable: number, tier: Tier) {
  const { visibleValidators: seen } = TIERS[tier]
  const hidden = comparable - seen
  return hidden > 0 ? { seen, hidden } : undefined
}

/** The certificate covers only the validators that the tier sees, so the answer states how many are left out. */
export function hiddenByTier(comparable: number, tier: Tier): readonly string[] {
  const { seen, hidden } = seenBy(comparable, tier) ?? {}
  return seen === undefined
    ? []
    : [
        `Only the ${seen} best validators by score are compared, which the tier ${tier} sees; ${hidden} more are not.`,
      ]
}

/** The oracle of a backtest chooses among all validators, but the policy only among those that the tier sees. */
export function hiddenFromPolicy(comparable: number, tier: Tier): readonly string[] {
  const { seen, hidden } = seenBy(comparable, tier) ?? {}
  return seen === undefined
    ? []
    : [
        `In each epoch, the policy and the simple rules choose among the ${seen} best validators by score, which the tier ${tier} sees. The oracle uses all: now ${hidden} more.`,
      ]
}

/** Stake that can be withdrawn in time counts for `keepLiquid`, so less of the amount is held back. */
export const countedAsLiquid = (atHand: bigint): readonly string[] =>
  atHand > 0n
    ? [
        `You can withdraw ${atHand} smallest units in time: they count for \`keepLiquid\`, so do not stake them as well.`,
      ]
    : []

/** `allocate` moves nothing, so stake with excluded validators stays there although the answer does not list it. */
export const heldButExcluded = (
  tokens: readonly { readonly validatorId: string }[],
  exclude: ReadonlySet<string> | undefined,
): readonly string[] =>
  tokens.some(({ validatorId }) => exclude?.has(validatorId))
    ? ['What you hold with excluded validators stays there: only a rebalance plan takes it out.']
    : []
