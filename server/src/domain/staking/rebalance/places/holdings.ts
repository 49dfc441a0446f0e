import type { StakeOption, StakeOptions } from '../../stake-options.ts'
import { type HeldToken, tokenValue } from '../held-token.ts'

/** The caller's whole stake with one validator, rewards included. */
export type Holding = {
  readonly option: StakeOption
  readonly staked: bigint
  readonly tokens: readonly HeldToken[]
}

/**
 * Adds validators that have tokens but are no longer listed by the network: stake there earns nothing and may
 * leave.
 */
export function withUnlisted(market: StakeOptions, tokens: readonly HeldToken[]): StakeOptions {
  const known = new Set(market.options.map(({ validatorId }) => validatorId))
  const unlisted = new Set(
    tokens.map(({ validatorId }) => validatorId).filter((validatorId) => !known.has(validatorId)),
  )
  if (unlisted.size === 0) return market
  const gone = [...unlisted].map((validatorId) => ({ ...UNLISTED, validatorId }))
  return { ...market, options: [...market.options, ...gone] }
}

const UNLISTED = {
  rank: Infinity,
  score: 0,
  commission: 1,
  eligible: false,
  inSet: false,
  inCommittee: false,
  inNextCommittee: false,
  stake: 0n,
  efficiency: 0,
  variance: 0,
} as const satisfies Omit<StakeOption, 'validatorId'>

/** The tokens by validator, in the order of the market. */
export function holdingsOf({ options }: StakeOptions, tokens: readonly HeldToken[]): readonly Holding[] {
  const byValidator = Map.groupBy(tokens, ({ validatorId }) => validatorId)
  return options.flatMap((option) => {
    const here = byValidator.get(option.validatorId)
    if (!here) return []
    return [{ option, staked: here.reduce((sum, token) => sum + tokenValue(token), 0n), tokens: here }]
  })
}
