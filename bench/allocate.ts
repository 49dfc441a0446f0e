import { performance } from 'node:perf_hooks'
import { compoundYearly } from '../server/src/domain/network/year.ts'
import { allocator } from '../server/src/domain/staking/allocation/allocation.ts'
import { alternativesIn } from '../server/src/domain/staking/allocation/alternatives.ts'
import { assumedToken } from '../server/src/domain/staking/rebalance/held-token.ts'
import { planRebalance } from '../server/src/domain/staking/rebalance/plan-rebalance.ts'
import { scoreValidators } from '../server/src/domain/staking/scoring/score.ts'
import { findBestSplit } from '../server/src/domain/staking/solver/best-split.ts'
import type { SplitProblem } from '../server/src/domain/staking/solver/dual-bound.ts'
import { byEntry, rewardOf } from '../server/src/domain/staking/solver/reward-curve.ts'
import { curveAt, type StakeOptions, stakeOptionsOf } from '../server/src/domain/staking/stake-options.ts'
import { highsSolver } from '../server/test/support/planning/highs-bracket.ts'
import { sampleNetwork, TOKEN, variedValidators } from '../server/test/support/sample-network.ts'
import { median, quantile } from './support/quantiles.ts'

/**
 * Measures the core of `allocate` without HTTP: its time, how the time grows, the time of a general solver for the same
 * problem, and the yield that simple rules lose.
 */
export async function benchAllocate(): Promise<void> {
  const sizes = [100, 150, 300, 1_000, 3_000, 10_000]
  const markets = new Map(sizes.map((size) => [size, sampleMarket(size)]))
  printTimes(markets)
  printLimited(markets)
  printGrowth(markets)
  printPlanner(markets.get(100))
  await printHighs(markets.get(150))
  printQuality(markets.get(150))
}

const GOALS = new Map([
  [150, 'goal p50 ≤ 0.05, p99 ≤ 0.5'],
  [10_000, 'goal p50 ≤ 10'],
])
const AMOUNTS = [10_000n, 1_000_000n, 100_000_000n]

function sampleMarket(size: number): StakeOptions {
  const validators = variedValidators(size, 7).map((one) => ({ ...one, firstEpoch: 80 }))
  const { snapshot, records } = sampleNetwork(validators)
  return stakeOptionsOf(snapshot, scoreValidators(snapshot, records))
}

type Times = {
  /** Milliseconds. */
  readonly all: readonly number[]
  /** The minimum of `TRIES` runs of each request, which filters out preemption by other programs. */
  readonly fastest: readonly number[]
}

const TRIES = 5
/** Enough for the JIT compiler to optimise, as in a service that has answered thousands of requests. */
const WARM_UP_CALLS = 5_000
const WARM_UP_MS = 1_000

/** The processor time of this process: on a busy machine, wall time would shorten the warm-up. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Times `count` requests after a warm-up. */
function timesOf(count: number, run: (index: number) => void): Times {
  const until = processorMs() + WARM_UP_MS
  for (let index = 0; index < (TRIES * count) / 4; index++) run(index)
  for (let index = 0; index < WARM_UP_CALLS && processorMs() < until; index++) run(index % count)
  const tried = Array.from({ length: count }, (_, index) =>
    Array.from({ length: TRIES }, () => {
      const started = performance.now()
      run(index)
      return performance.now() - started
    }),
  )
  return { all: tried.flat(), fastest: tried.map((tries) => Math.min(...tries)) }
}

const printed = ({ all, fastest }: Times): string =>
  `p50 ${ms(median(all))}  p99 ${ms(quantile(all, 0.99))}, fastest of ${TRIES}: p99 ${ms(quantile(fastest, 0.99))}, most ${ms(quantile(fastest, 1))}`

function allocationTimes(market: StakeOptions, riskAversion: number, count: number): Times {
  const allocate = allocator(market)
  return timesOf(count, (index) => {
    const tokens = AMOUNTS[index % AMOUNTS.length] ?? 1n
    allocate({ amount: tokens * TOKEN + BigInt(index) * 12_345_678_901n, maxValidators: 10, riskAversion })
  })
}

function printTimes(markets: ReadonlyMap<number, StakeOptions>): void {
  console.log('allocate, 10 validators at most, amounts of 1e4, 1e6 and 1e8 tokens; milliseconds')
  for (const size of [150, 1_000, 10_000]) {
    const market = markets.get(size)
    if (!market) continue
    for (const riskAversion of [0, 10]) {
      const times = allocationTimes(market, riskAversion, size > 1_000 ? 60 : 300)
      console.log(`  n ${pad(size)}  γ ${pad(riskAversion, 2)}  ${printed(times)}  ${GOALS.get(size) ?? ''}`)
    }
  }
}

/** Times requests with ten existing positions and five groups of ten validators, each capped at a quarter. */
function printLimited(markets: ReadonlyMap<number, StakeOptions>): void {
  console.log('the same with existing positions and groups, riskAversion 10')
  for (const size of [150, 10_000]) {
    const market = markets.get(size)
    if (!market) continue
    const ids = market.options.map(({ validatorId }) => validatorId)
    const existing = new Map(ids.slice(0, 10).map((id, at) => [id, BigInt(at + 1) * 10_000n * TOKEN]))
    const groups = Array.from({ length: 5 }, (_, group) => ({
      name: `group ${group}`,
      validatorIds: new Set(ids.slice(group * 10, group * 10 + 10)),
      maxShare: 0.25,
    }))
    const [allocate, alternatives] = [allocator(market), alternativesIn(market)]
    const requestOf = (index: number) => ({
      amount: (AMOUNTS[index % AMOUNTS.length] ?? 1n) * TOKEN + BigInt(index) * 12_345_678_901n,
      maxValidators: 10,
      existing,
      groups,
    })
    const count = size > 1_000 ? 40 : 200
    console.log(
      `  n ${pad(size)}  allocate      ${printed(timesOf(count, (index) => allocate(requestOf(index))))}`,
    )
    console.log(
      `  n ${pad(size)}  with alternatives  ${printed(timesOf(count, (index) => alternatives(requestOf(index), allocate(requestOf(index)))))}`,
    )
  }
}

function printGrowth(markets: ReadonlyMap<number, StakeOptions>): void {
  const points = [...markets].map(([size, market]) => {
    const p50 = median(allocationTimes(market, 10, size > 1_000 ? 40 : 120).all)
    return { x: Math.log(size), y: Math.log(p50) }
  })
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [mx, my] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))]
  const slope =
    points.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0) /
    points.reduce((sum, { x }) => sum + (x - mx) ** 2, 0)
  // n · log n between 100 and 10,000 is a straight line of slope 1.15 on these axes.
  console.log(`growth over 100…10,000: time ~ n^${slope.toFixed(2)} (n · log n would be n^1.15)`)
}

function printPlanner(market: StakeOptions | undefined): void {
  if (!market) return
  const held = market.options.slice(0, 50).map(({ validatorId }, index) =>
    assumedToken({
      stakedTokenId: `t${index}`,
      validatorId,
      principal: BigInt(index + 1) * 1_000n * TOKEN,
    }),
  )
  const times = timesOf(80, (index) => {
    planRebalance(market, { tokens: held.slice(0, 1 + (index % 50)), maxTargets: 10 })
  })
  console.log(`rebalance-plan, 100 validators, 1…50 positions: ${printed(times)}`)
}

function problemOf(market: StakeOptions, amount: number, maxChosen: number): SplitProblem {
  const eligible = market.options.filter(({ eligible }) => eligible)
  return {
    amount,
    risk: 10 / amount,
    // In the order in which an allocator keeps them.
    choices: eligible
      .map((option) => curveAt(market.pool, option, Number(option.stake), market.pool.totalStake))
      .toSorted(byEntry),
    least: Number(TOKEN),
    most: amount,
    maxChosen,
    free: [],
  }
}

async function printHighs(market: StakeOptions | undefined): Promise<void> {
  if (!market) return
  const highs = await highsSolver()
  console.log('the same problem for HiGHS (tangents instead of curves), 150 validators, 10 at most')
  for (const tokens of [1e6, 1e8]) {
    const problem = problemOf(market, tokens * 1e9, 10)
    const split = findBestSplit(problem)
    const own = median(timesOf(40, () => findBestSplit(problem)).all)
    if (!split) continue
    const { lower, upper, milliseconds } = highs(
      problem,
      split.parts.map(({ amount }) => amount),
    )
    const relative = (value: number): string => (value / split.value - 1).toExponential(1)
    console.log(
      `  ${tokens.toExponential(0)} tokens: ours ${ms(own)} ms, HiGHS ${ms(milliseconds)} ms (${(milliseconds / own).toFixed(0)} ×);` +
        ` its split is ${relative(lower)}, its bound ${relative(upper)} from ours; our gap ${(split.bound / split.value - 1).toExponential(1)}`,
    )
  }
}

/** Compares the yield with the ten highest quoted rates in equal parts, the choice that a list sorted by APY suggests. */
function printQuality(market: StakeOptions | undefined): void {
  if (!market) return
  const allocate = allocator(market)
  const apy = (rate: number): string =>
    `${(100 * compoundYearly(rate, market.pool.epochsPerYear)).toFixed(2)} %`
  console.log('yield after own dilution, 150 validators')
  for (const tokens of [10_000, 1_000_000, 100_000_000]) {
    const amount = tokens * 1e9
    const ranked = problemOf(market, amount, 10).choices
    const greedy = (count: number): number =>
      ranked.slice(0, count).reduce((sum, curve) => sum + rewardOf(curve, amount / count), 0) / amount
    const { totalProjectedApy } = allocate({ amount: BigInt(amount), maxValidators: 10 })
    console.log(
      `  ${pad(tokens, 11)} tokens: ours ${totalProjectedApy.toFixed(2)} %, top-10 equally ${apy(greedy(10))},` +
        ` top-1 ${apy(greedy(1))}, quoted by the top one ${apy(ranked[0]?.entry ?? 0)}`,
    )
  }
}

const ms = (value: number): string => value.toFixed(3).padStart(8)
const pad = (value: number, width = 6): string => String(value).padStart(width)

if (import.meta.main) await benchAllocate()
