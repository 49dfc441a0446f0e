import type { ChainSnapshot, EpochRecord } from '#ports/chain/staking-chain.ts'
import { epochsPerYear } from '../../network/year.ts'
import { growthBetween, lastBefore, pastSnapshot } from '../forecast/past-market.ts'
import { scoreValidators } from '../scoring/score.ts'
import { type StakeOptions, stakeOptionsOf } from '../stake-options.ts'

type Records = ReadonlyMap<string, readonly EpochRecord[]>

/** An epoch in which a decision could have been made, and what the epoch after it paid. */
export type PastEpoch = {
  /** The one that paid. */
  readonly paidIn: number
  /** What was known before the decision, as the service sees it. */
  readonly known: StakeOptions
  /** The mean yearly rate of the last so many epochs that were over. */
  readonly meanRate: (validatorId: string, epochs: number) => number
  /** Undefined for a validator that is recorded no more. */
  readonly paid: (validatorId: string) => Paid | undefined
}

/** What a pool paid in an epoch: its yearly rate, and the stake that shared in it. */
export type Paid = { readonly rate: number; readonly stake: number }

/** The epoch before `paidIn` as it began, and the one after it as it turned out. */
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
      // An epoch before its first record paid nothing.
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
