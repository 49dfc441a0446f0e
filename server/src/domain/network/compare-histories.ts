import { compare } from '../compare.ts'
import type { NetworkView } from './network-view.ts'

/** The last completed epochs of all validators; `undefined` for an epoch in which a validator has no figure. */
type HistoryTable = {
  /** Ascending. */
  readonly epochs: readonly number[]
  readonly rows: readonly {
    readonly validatorId: string
    readonly apy: readonly (number | undefined)[]
    readonly commissionRate: readonly (number | undefined)[]
    readonly performed: readonly (boolean | undefined)[]
  }[]
}

export function compareHistories(view: NetworkView, count: number): HistoryTable {
  const newest = view.snapshot.epoch.number - 1
  const oldest = Math.max(0, newest - count + 1)
  const epochs = Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index)
  const rows = view.snapshot.validators.map(({ id }) => {
    const points = new Map(view.apyPoints(id).map((point) => [point.epoch, point]))
    const records = new Map((view.history.byValidator.get(id) ?? []).map((record) => [record.epoch, record]))
    return {
      validatorId: id,
      apy: epochs.map((epoch) => points.get(epoch)?.apy),
      commissionRate: epochs.map((epoch) => points.get(epoch)?.commissionRate),
      performed: epochs.map((epoch) => records.get(epoch)?.performed),
    }
  })
  return { epochs, rows: rows.toSorted((a, b) => compare(a.validatorId, b.validatorId)) }
}
