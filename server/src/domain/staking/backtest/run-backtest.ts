import type { ChainSnapshot, EpochRecord } from '#ports/chain/staking-chain.ts'
import { epochsPerYear } from '../../network/year.ts'
import { type BacktestPolicy, decideByPolicy } from './decide.ts'
import { pastEpoch } from './past-epochs.ts'
import { fillLikeWater, sellBelowRank, topByMean } from './plain-rules.ts'
import { type Contestant, type Track, walker } from './walk.ts'

/** What is walked: `policy` asks for plans; `policy_held` never moves from its first allocation. */
const CONTESTANTS = ['policy', 'policy_held', 'top_mean_held', 'patient', 'oracle'] as const
type ContestantName = (typeof CONTESTANTS)[number]

/** Before this many epochs of history a decision would rest on next to nothing. */
const WARM_UP = 10
/** Fewer tell nothing. */
const FEWEST = 7
/** Validators times epochs: what is walked at most, so that the work is bounded on any network. */
const MOST_RECORDS = 20_000
/** Records that are looked back at before a decision. */
const LOOK_BACK = 34

export type BacktestInput = {
  readonly snapshot: ChainSnapshot
  readonly records: ReadonlyMap<string, readonly EpochRecord[]>
  readonly policy: BacktestPolicy
  readonly epochs: number
}

/** Yearly rates are parts of the amount, not compounded. */
export type BacktestLine = {
  readonly name: ContestantName
  readonly netRate: number
  readonly deviation: number
  readonly worst: number
  /** The mean part that moves in an epoch, and what that cost per year. */
  readonly turnover: number
  readonly switchingCost: number
  readonly rewards: bigint
  readonly rates: readonly number[]
  readonly moved: readonly number[]
}

export type Backtest =
  | { readonly kind: 'walked'; readonly first: number; readonly lines: readonly BacktestLine[] }
  | { readonly kind: 'too short'; readonly scored: number; readonly needed: number }

/** The epochs that can be scored: of those asked for, what the history and the bound of work allow. */
export function scoredEpochs({ snapshot, records, epochs }: Omit<BacktestInput, 'policy'>) {
  let [oldest, newest] = [Number.POSITIVE_INFINITY, -1]
  for (const ofPool of records.values()) {
    oldest = Math.min(oldest, ofPool[0]?.epoch ?? oldest)
    newest = Math.max(newest, ofPool.at(-1)?.epoch ?? newest)
  }
  const affordable = Math.floor(MOST_RECORDS / Math.max(1, snapshot.validators.length))
  const inHistory = Math.max(0, newest - oldest - WARM_UP)
  const count = Math.min(epochs, affordable, inHistory)
  return { first: newest - count + 1, count, affordable, inHistory }
}

/** The records that a walk looks at, and no others: what is handed to another thread is copied. */
export function recordsFor(input: Omit<BacktestInput, 'policy'>): BacktestInput['records'] {
  const oldest = scoredEpochs(input).first - LOOK_BACK
  const needed = [...input.records].map(
    ([id, ofPool]) => [id, ofPool.filter(({ epoch }) => epoch >= oldest)] as const,
  )
  return new Map(needed.filter(([, ofPool]) => ofPool.length > 0))
}

/** What a policy would have done over the last epochs, beside plain rules and an oracle. */
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
