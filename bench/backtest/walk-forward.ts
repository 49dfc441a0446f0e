import { EPOCHS_PER_YEAR, epochRate, marketViews } from './market-view.ts'
import type { HistoryEpoch } from './read-history.ts'
import type { Scenario } from './scenario.ts'
import type { Portfolio, Strategy } from './strategy.ts'

/** The results of one strategy: yearly rates in percent, one per scored epoch. */
export type Track = {
  readonly name: string
  readonly epochs: readonly number[]
  readonly net: readonly number[]
  readonly gross: readonly number[]
  /** The share of the stake that moved, per epoch. */
  readonly moved: readonly number[]
}

/**
 * Walk-forward test. In epoch t every strategy decides with the data of epochs up to t − 1; its holdings are then paid
 * at the recorded rates of t + 1. Stake that moves earns nothing in the epoch in which it arrives, and a validator that
 * has left pays nothing.
 */
export function walkForward(
  scenario: Scenario,
  all: readonly Strategy[],
  warmUp: number,
  progress: (done: number, of: number) => void,
): readonly Track[] {
  const { history } = scenario
  const view = marketViews(scenario)
  const runs = all.map((strategy) => ({
    strategy,
    held: new Map() as Portfolio,
    track: emptyTrack(strategy.name),
  }))
  for (const [index, latest] of history.entries()) {
    const known = view(latest, history.slice(0, index + 1))
    const coming = history[index + 2]
    if (index + 1 < warmUp || !coming) continue
    for (const run of runs) {
      const { strategy, held, track } = run
      const decides = held.size === 0 || (index + 1 - warmUp) % strategy.every === 0
      const next = decides ? strategy.decide(known, held, coming) : held
      const arriving =
        held.size === 0 || strategy.movesForFree ? new Map<string, number>() : inflows(held, next)
      const byValidator = earningsOf(next, coming, scenario)
      const gross = sumOf(next, byValidator)
      track.epochs.push(coming.epoch)
      track.gross.push(gross)
      track.net.push(gross - sumOf(arriving, byValidator))
      track.moved.push([...arriving.values()].reduce((sum, part) => sum + part, 0))
      run.held = next
    }
    progress(index + 2 - warmUp, history.length - warmUp - 1)
  }
  return runs.map(({ track }) => track)
}

const emptyTrack = (name: string) => ({
  name,
  epochs: [] as number[],
  net: [] as number[],
  gross: [] as number[],
  moved: [] as number[],
})

function inflows(held: Portfolio, next: Portfolio): Portfolio {
  const more = [...next].map(([id, part]): [string, number] => [id, part - (held.get(id) ?? 0)])
  return new Map(more.filter(([, part]) => part > 1e-12))
}

/** The rate of each validator held: percent a year, not compounded, after dilution by the stake held. */
function earningsOf(portfolio: Portfolio, { rows }: HistoryEpoch, { dilution }: Scenario): Portfolio {
  return new Map(
    [...portfolio].map(([id, part]) => {
      const row = rows.get(id)
      return [id, row ? 100 * EPOCHS_PER_YEAR * epochRate(row.apy) * dilution(row, part) : 0]
    }),
  )
}

function sumOf(portfolio: Portfolio, earnings: Portfolio): number {
  let sum = 0
  for (const [id, part] of portfolio) sum += part * (earnings.get(id) ?? 0)
  return sum
}
