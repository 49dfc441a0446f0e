import type { EpochRecord } from '#ports/chain/staking-chain.ts'
import { lastBefore } from './past-market.ts'

type Records = ReadonlyMap<string, readonly EpochRecord[]>

/** Cap on the flow of a pool in an epoch: more comes from a single large staker and says little about the future. */
const MAX_IN_EPOCH = 0.1
/** The number of epochs of an outcome that are sampled. */
const SAMPLES = 8

/** A pool's stake in shares: unlike its value, it changes only when somebody stakes or withdraws. */
const inShares = ({ stake, rate: { tokens, shares } }: EpochRecord): number =>
  tokens > 0n ? (Number(stake) * Number(shares)) / Number(tokens) : 0

/** The relative change of a pool's stake in an epoch by stakes and withdrawals: the mean over all pools. */
export function flowIn(records: Records, epoch: number): number {
  let [sum, pools] = [0, 0]
  for (const ofPool of records.values()) {
    const at = lastBefore(ofPool, epoch + 1)
    const [before, after] = [ofPool[at - 1], ofPool[at]]
    if (after?.epoch !== epoch || before?.epoch !== epoch - 1) continue
    const change = Math.abs(Math.log(inShares(after) / inShares(before)))
    if (!Number.isFinite(change)) continue
    sum += Math.min(MAX_IN_EPOCH, change)
    pools++
  }
  return pools > 0 ? sum / pools : 0
}

/**
 * The factor by which stakes and withdrawals changed the pay per unit of a pool over `epochs` epochs; 1: no change.
 */
export function dilutionOver(records: readonly EpochRecord[], from: number, epochs: number): number {
  const base = records[lastBefore(records, from)]
  if (!base) return 1
  const step = Math.ceil(epochs / SAMPLES)
  let [sum, samples] = [0, 0]
  for (let epoch = from; epoch < from + epochs; epoch += step) {
    const then = records[lastBefore(records, epoch + 1)]
    const part = then ? inShares(base) / inShares(then) : 1
    sum += Number.isFinite(part) && part > 0 ? part : 1
    samples++
  }
  return sum / samples
}
