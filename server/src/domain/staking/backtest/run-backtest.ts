import type { ChainSnapshot, EpochRecord } from '#ports/chain/staking-chain.ts'
import { epochsPerYear } from '../../network/year.ts'
import { type BacktestPolicy, decideByPolicy } from './decide.ts'
import { pastEpoch } from './past-epochs.ts'
import { fillLikeWater, sellBelowRank, topByMean } from './plain-rules.ts'
import { type Contestant, type Track, walker } from './walk.ts'

/** The compared strategies: `policy` follows rebalance plans; `policy_held` never changes its first allocation. */
const CONTESTANTS = ['policy', 'policy_held', 'top_mean_held', 'patient', 'oracle'] as const
type ContestantName = (typeof CONTESTANTS)[number]

/** Epochs of history before the first decision: with fewer it would have next to no data. */
const WARM_UP = 10
/** The smallest number of scored epochs: fewer are not significant. */
const FEWEST = 7
/** Work limit: validators times scored epochs. */
const MAX_RECORDS = 20_000
/** The number of epochs before a decision whose records it uses. */
const LOOK_BACK = 34

export type BacktestInput = {
  readonly snapshot: ChainSnapshot
  readonly records: ReadonlyMap<string, readonly EpochRecord[]>
  readonly policy: BacktestPolicy
  readonly epochs: number
}

/** Yearly rates are fractions of the amount, not compounded. */
export type BacktestLine = {
  readonly name: ContestantName
  readonly netRate: number
  readonly deviation: number
  readonly worst: number
  /** The mean fraction that moves in an epoch, and the cost of that per year. */
  readonly turnover: number
  readonly switchingCost: number
  readonly rewards: bigint
  readonly rates: readonly number[]
  readonly moved: readonly number[]
}

export type Backtest =
  | { readonly kind: 'walked'; readonly first: number; readonly lines: readonly BacktestLine[] }
  | { readonly kind: 'too short'; readonly scored: number; readonly needed: number }

/** The epochs that can be scored: the requested ones, limited by the history and the work limit. */
export function scoredEpochs({ snapshot, records, epochs }: Omit<BacktestInput, 'policy'>) {
  let [oldest, newest] = [Number.POSITIVE_INFINITY, -1]
  for (const ofPool of records.values()) {
    oldest = Math.min(oldest, ofPool[0]?.epoch ?? oldest)
    newest = Math.max(newest, ofPool.at(-1)?.epoch ?? newest)
  }
  const affordable = Math.floor(MAX_RECORDS / Math.max(1, snapshot.validators.length))
  const inHistory = Math.max(0, newest - oldest - WARM_UP)
  const count = Math.min(epochs, affordable, inHistory)
  return { first: newest - count + 1, count, affordable, inHistory }
}

/** Only the records that a backtest uses: data for another thread is copied. */
export function recordsFor(input: Omit<BacktestInput, 'policy'>): BacktestInput['records'] {
  const oldest = scoredEpochs(input).first - LOOK_BACK
  const needed = [...input.records].map(
    ([id, ofPool]) => [id, ofPool.filter(({ epoch }) => epoch >= oldest)] as const,
  )
  return new Map(needed.filter(([, ofPool]) => ofPool.length > 0))
}

/** Simulates a policy over the last epochs, in comparison with plain rules and an oracle. */
export function runBacktest(input: BacktestInput): Backtest {
  const { snapshot, records, policy } = input
  const { first, count } = scoredEpochs(input)
  if (count < FEWEST) return { kind: 'too short', scored: count, needed: FEWEST }
  const walkers = CONTESTANTS.map((name) => ({ name, ...walker(contestants(policy)[name], policy) }))
  for (let epoch = first; epoch < first + count; epoch++) {
    const past = pastEpoch(snapshot, records, epoch)
    for (const { next } of walkers) next(past)
  }
  const perYear = epochsPerYear(snapshot.epoch.durationMs)
  const lines = walkers.map(({ name, track }) => summarise(name, track, Number(policy.amount) / perYear))
  return { kind: 'walked', first, lines }
}

const contestants = ({ everyEpochs }: BacktestPolicy): Readonly<Record<ContestantName, Contestant>> => ({
  policy: { decide: decideByPolicy, everyEpochs, movesForFree: false },
  policy_held: { decide: decideByPolicy, everyEpochs: Infinity, movesForFree: false },
  top_mean_held: { decide: topByMean, everyEpochs: Infinity, movesForFree: false },
  patient: { decide: sellBelowRank, everyEpochs: 1, movesForFree: false },
  oracle: { decide: fillLikeWater, everyEpochs: 1, movesForFree: true },
})

function summarise(name: ContestantName, { net, gross, moved }: Track, perRate: number): BacktestLine {
  const netRate = mean(net)
  return {
    name,
    netRate,
    deviation: Math.sqrt(mean(net.map((rate) => (rate - netRate) ** 2))),
    worst: Math.min(...net),
    turnover: mean(moved),
    switchingCost: mean(gross) - netRate,
    rewards: BigInt(Math.max(0, Math.round(perRate * net.reduce((sum, rate) => sum + rate, 0)))),
    rates: net,
    moved,
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
