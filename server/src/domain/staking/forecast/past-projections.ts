import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { History } from '../../network/history.ts'
import { type PastRates, projectAt } from './past-market.ts'

/** A cache of projections at the start of past epochs. */
export type PastProjections = {
  readonly at: (epoch: number) => PastRates
  /** The rules of the chain that the cached projections depend on. */
  readonly rules: string
  readonly known: Map<number, PastRates>
}

/** The size of the cache in epochs; more than all horizons together need. */
const MAX_KNOWN = 100

/**
 * Records before an epoch never change, so a later view reuses the cached projections while the chain's rules stay
 * the same.
 */
export function rememberProjections(
  snapshot: ChainSnapshot,
  { byValidator }: History,
  before?: PastProjections,
  project = projectAt,
): PastProjections {
  const rules = rulesOf(snapshot)
  const known = before?.rules === rules ? before.known : new Map<number, PastRates>()
  return {
    rules,
    known,
    at: (epoch) => {
      const rates = known.get(epoch) ?? project(snapshot, byValidator, epoch)
      known.set(epoch, rates)
      const [oldest] = known.keys()
      if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
      return rates
    },
  }
}

/** All current rules that a projection of the past depends on. */
function rulesOf({ network, epoch, rewards, system }: ChainSnapshot): string {
  const { minValidatorStake, activeSet } = system
  const isFull = activeSet !== undefined && activeSet.members >= activeSet.maxMembers
  return JSON.stringify([network, epoch.durationMs, rewards.shape, String(minValidatorStake), isFull])
}
