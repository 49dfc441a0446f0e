import type { ChainSnapshot, EpochRecord } from '#ports/chain/staking-chain.ts'
import { epochsPerYear } from '../../network/year.ts'
import { growthBetween, lastBefore, pastSnapshot } from '../forecast/past-market.ts'
import { scoreValidators } from '../scoring/score.ts'
import { type StakeOptions, stakeOptionsOf } from '../stake-options.ts'

type Records = ReadonlyMap<string, readonly EpochRecord[]>

/** A past decision: the market before it, and the pay of the epoch after it. */
export type PastEpoch = {
  /** The epoch whose rewards judge the decision. */
  readonly paidIn: number
  /** The market as the service knew it at the time of the decision. */
  readonly known: StakeOptions
  /** The mean yearly rate over the last `epochs` completed epochs. */
  readonly meanRate: (validatorId: string, epochs: number) => number
  /** Undefined for a validator without later records. */
  readonly paid: (validatorId: string) => Paid | undefined
}

/** The pay of a pool in an epoch: its yearly rate, and the stake that shared it. */
type Paid = { readonly rate: number; readonly stake: number }

/** Reconstructs the market before `paidIn`, and reads the pay of `paidIn`. */
export function pastEpoch(present: ChainSnapshot, records: Records, paidIn: number): PastEpoch {
  const perYear = epochsPerYear(present.epoch.durationMs)
  const past = pastSnapshot(present, records, paidIn - 1)
  return {
    paidIn,
    known: stakeOptionsOf(past.snapshot, scoreValidators(past.snapshot, past.records)),
    meanRate: (id, epochs) => {
      const ofPool = past.records.get(id) ?? []
      const last = ofPool.at(-1)
      if (!last) return 0
      const first = ofPool[Math.max(0, lastBefore(ofPool, last.epoch - epochs + 1))]
      // Epochs before its first record count as epochs without pay.
      return (perYear * Math.log1p(growthBetween(first, last))) / epochs
    },
    paid: (id) => {
      const ofPool = records.get(id) ?? []
      const at = lastBefore(ofPool, paidIn + 1)
      const [before, then] = [ofPool[at - 1], ofPool[at]]
      if (then?.epoch !== paidIn || before?.epoch !== paidIn - 1) return undefined
      return { rate: perYear * growthBetween(before, then), stake: Number(then.stake) }
    },
  }
}
