import type { EpochRecord, RewardShape } from '#ports/chain/staking-chain.ts'
import { withShards } from './shards-on-record.ts'

/** The number of completed epochs that are kept. */
const HISTORY_EPOCHS = 1_000

/** Completed epochs of every validator, ascending. Immutable, like a snapshot. */
export type History = {
  readonly newestEpoch: number | undefined
  readonly byValidator: ReadonlyMap<string, readonly EpochRecord[]>
}

export const NO_HISTORY: History = { newestEpoch: undefined, byValidator: new Map() }

/**
 * Whether the history reaches up to an epoch: completed epochs are read after the snapshot, and once nodes agree on
 * them.
 */
export const isComplete = ({ newestEpoch }: History, epoch: number): boolean =>
  newestEpoch !== undefined && newestEpoch >= epoch - 1

/**
 * The history with newer records (of whole epochs) added and the oldest epochs dropped. Known epochs are never
 * rewritten.
 */
export function extendHistory(
  history: History,
  records: readonly EpochRecord[],
  shape?: RewardShape,
): History {
  const fresh = records.filter((record) => record.epoch > (history.newestEpoch ?? -1))
  if (fresh.length === 0) return history
  const newestEpoch = fresh.reduce((newest, record) => Math.max(newest, record.epoch), 0)
  const oldest = oldestKept(newestEpoch)
  const byValidator = new Map<string, EpochRecord[]>()
  for (const [id, list] of history.byValidator) {
    const kept = list.filter((record) => record.epoch >= oldest)
    if (kept.length > 0) byValidator.set(id, kept)
  }
  for (const record of withShards(fresh, shape).toSorted((a, b) => a.epoch - b.epoch)) {
    if (record.epoch < oldest) continue
    const list = byValidator.get(record.validatorId)
    if (list) list.push(record)
    else byValidator.set(record.validatorId, [record])
  }
  return { newestEpoch, byValidator }
}

/** The history of the epochs before `epoch`. */
export function historyBefore(history: History, epoch: number): History {
  if (history.newestEpoch === undefined || history.newestEpoch < epoch) return history
  const byValidator = new Map<string, readonly EpochRecord[]>()
  let newestEpoch: number | undefined
  for (const [id, list] of history.byValidator) {
    const kept = list.filter((record) => record.epoch < epoch)
    const last = kept.at(-1)
    if (!last) continue
    byValidator.set(id, kept)
    newestEpoch = Math.max(newestEpoch ?? 0, last.epoch)
  }
  return { newestEpoch, byValidator }
}

/** The oldest epoch that is kept if `newest` is the newest one. */
export function oldestKept(newest: number): number {
  return Math.max(0, newest - HISTORY_EPOCHS + 1)
}
