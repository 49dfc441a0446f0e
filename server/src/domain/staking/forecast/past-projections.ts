import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { History } from '../../network/history.ts'
import { outcomesFrom, type PastOutcome } from './past-errors.ts'
import { type PastRates, projectAt } from './past-market.ts'
import { flowIn } from './stake-flow.ts'

/** Caches of past epochs: projections, their outcomes, and flows of stake. */
export type PastProjections = {
  /** The projections at the start of an epoch. */
  readonly at: (epoch: number) => PastRates
  /** The outcomes of these projections over `epochs` epochs. */
  readonly outcomesAt: (origin: number, epochs: number) => readonly PastOutcome[]
  readonly flowAt: (epoch: number) => number
  /** The rules of the chain that the cached values depend on. */
  readonly rules: string
  readonly known: KnownPast
}

/** Outcomes are found by origin and number of epochs. */
export type KnownPast = {
  readonly rates: Map<number, PastRates>
  readonly outcomes: Map<string, readonly PastOutcome[]>
  readonly flows: Map<number, number>
}

export const nothingKnown = (): KnownPast => ({ rates: new Map(), outcomes: new Map(), flows: new Map() })

/** The size of each cache; more than all horizons together need. */
const MAX_KNOWN = 200

/**
 * Records of completed epochs never change, so a later view reuses the cached values while the chain's rules stay the
 * same. A value is cached once all records that it needs are in the history.
 */
export function rememberProjections(
  snapshot: ChainSnapshot,
  { byValidator, newestEpoch = -1 }: History,
  before?: PastProjections,
  project = projectAt,
): PastProjections {
  const rules = rulesOf(snapshot)
  const known = before?.rules === rules ? before.known : nothingKnown()
  const at = (epoch: number) =>
    remember(known.rates, epoch, epoch - 1 <= newestEpoch, () => project(snapshot, byValidator, epoch))
  return {
    rules,
    known,
    at,
    outcomesAt: (origin, epochs) =>
      remember(known.outcomes, `${origin}+${epochs}`, origin + epochs - 1 <= newestEpoch, () =>
        outcomesFrom(snapshot, byValidator, origin, epochs, at(origin)),
      ),
    flowAt: (epoch) => remember(known.flows, epoch, epoch <= newestEpoch, () => flowIn(byValidator, epoch)),
  }
}

function remember<K, V>(known: Map<K, V>, key: K, isFinal: boolean, make: () => V): V {
  const value = known.get(key) ?? make()
  if (!isFinal) return value
  known.set(key, value)
  const [oldest] = known.keys()
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
  return value
}

/** All current rules that a projection of the past depends on. */
function rulesOf({ network, epoch, rewards, system }: ChainSnapshot): string {
  const { minValidatorStake, activeSet } = system
  const isFull = activeSet !== undefined && activeSet.members >= activeSet.maxMembers
  return JSON.stringify([network, epoch.durationMs, rewards.shape, String(minValidatorStake), isFull])
}
