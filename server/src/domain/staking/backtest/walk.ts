import type { RewardPool } from '../scoring/reward-pool.ts'
import type { BacktestPolicy, Portfolio } from './decide.ts'
import type { PastEpoch } from './past-epochs.ts'

/** A strategy that takes part in a backtest. */
export type Contestant = {
  readonly decide: (past: PastEpoch, held: Portfolio, policy: BacktestPolicy) => Portfolio
  /** Epochs between two decisions; Infinity: it decides once. */
  readonly everyEpochs: number
  /** True for the oracle, which pays nothing for moving. */
  readonly movesForFree: boolean
}

/** Per scored epoch: the yearly rate after and before the cost of moving, and the fraction that moved. */
export type Track = {
  readonly net: readonly number[]
  readonly gross: readonly number[]
  readonly moved: readonly number[]
}

type Walker = { readonly next: (past: PastEpoch) => void; readonly track: Track }

/**
 * Simulates one contestant over epochs, which must come in order. Its portfolio earns the recorded pay of each epoch,
 * less its own dilution; moved stake earns nothing in the epoch in which it arrives.
 */
export function walker({ decide, everyEpochs, movesForFree }: Contestant, policy: BacktestPolicy): Walker {
  const track = { net: [] as number[], gross: [] as number[], moved: [] as number[] }
  let held: Portfolio = new Map()
  return {
    track,
    next(past) {
      const decides = held.size === 0 || track.net.length % everyEpochs === 0
      const after = decides ? decide(past, held, policy) : held
      let [gross, lost, moved] = [0, 0, 0]
      for (const [id, part] of after) {
        const rate = dilutedRate(past, id, part * Number(policy.amount), Number(policy.amount))
        gross += part * rate
        const arriving = Math.max(0, part - (held.get(id) ?? 0))
        if (held.size === 0 || movesForFree || arriving < 1e-12) continue
        lost += arriving * rate
        moved += arriving
      }
      track.gross.push(gross)
      track.net.push(gross - lost)
      track.moved.push(moved)
      held = after
    },
  }
}

/** The recorded rate of a pool, diluted by `own` additional stake in it and `all` in the network. */
function dilutedRate({ known: { pool }, paid }: PastEpoch, id: string, own: number, all: number): number {
  const found = paid(id)
  return found ? found.rate * dilution(pool, found.stake, own, all) : 0
}

function dilution({ shape, totalStake }: RewardPool, stake: number, own: number, all: number): number {
  if (shape.kind === 'equal-share') return stake / (stake + own)
  const capped = (total: number, inPool: number): number => Math.min(1, (shape.capShare * total) / inPool)
  const [before, after] = [capped(totalStake, stake), capped(totalStake + all, stake + own)]
  return (totalStake / (totalStake + all)) * (after / before)
}
