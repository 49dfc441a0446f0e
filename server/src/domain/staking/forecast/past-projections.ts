import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { History } from '../../network/history.ts'
import { type PastRates, projectAt } from './past-market.ts'

/** What would have been projected at the start of past epochs; each is computed once, for all views to come. */
export type PastProjections = {
  readonly at: (epoch: number) => PastRates
  /** What they rest on beside the records. */
  readonly rules: string
  readonly known: Map<number, PastRates>
}

/** More than all horizons together look back at. */
const MOST_KNOWN = 100

/**
 * What was recorded before an epoch never changes, so that a later view takes over what is known already, as long as the
 * chain's rules are the same.
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
      if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
      return rates
    },
  }
}

/** Everything of the present that a projection of the past takes as given. */
function rulesOf({ network, epoch, rewards, system }: ChainSnapshot): string {
  const { minValidatorJoiningStake, activeSet } = system
  const isFull = activeSet !== undefined && activeSet.members >= activeSet.maxMembers
  return JSON.stringify([network, epoch.durationMs, rewards.shape, String(minValidatorJoiningStake), isFull])
}
