import type { EpochRecord } from '#ports/chain/staking-chain.ts'
import { lastBefore } from './past-market.ts'

type Records = ReadonlyMap<string, readonly EpochRecord[]>

/** More than this in an epoch is a single large staker, of whom one says little about the next. */
const MOST_IN_EPOCH = 0.1
/** Of the epochs of an outcome so many are looked at. */
const SAMPLES = 8

/** A pool's stake without its rewards: it changes only when somebody stakes or withdraws. */
const inShares = ({ stake, rate: { tokens, shares } }: EpochRecord): number =>
  tokens > 0n ? (Number(stake) * Number(shares)) / Number(tokens) : 0

/** How much stake came to or left a pool in an epoch, as a part of it: the mean of all pools. */
export function flowIn(records: Records, epoch: number): number {
  let [sum, pools] = [0, 0]
  for (const ofPool of records.values()) {
    const at = lastBefore(ofPool, epoch + 1)
    const [before, after] = [ofPool[at - 1], ofPool[at]]
    if (after?.epoch !== epoch || before?.epoch !== epoch - 1) continue
    const change = Math.abs(Math.log(inShares(after) / inShares(before)))
    if (!Number.isFinite(change)) continue
    sum += Math.min(MOST_IN_EPOCH, change)
    pools++
  }
  return pools > 0 ? sum / pools : 0
}

/** What those who staked and withdrew made of an equal share over so many epochs: 1 if nobody did. */
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
