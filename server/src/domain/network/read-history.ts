import { DAY_MS, dayOf } from '../../durations.ts'
import type { ApyPoint } from './apy-history.ts'
import type { NetworkView } from './network-view.ts'

const WEEK_MS = 7 * DAY_MS
/** 1970 began on a Thursday; weeks begin on Mondays. */
const MONDAY_OFFSET_MS = 3 * DAY_MS

const PERIODS = { '7d': 7, '30d': 30, '90d': 90, '1y': 365, all: Number.POSITIVE_INFINITY } as const

/** Maps a moment to the number of its window; undefined: every epoch separately. */
const WINDOWS = {
  epoch: undefined,
  day: (at: number) => dayOf(at),
  week: (at: number) => Math.floor((at + MONDAY_OFFSET_MS) / WEEK_MS),
} as const

export type HistoryRequest = {
  readonly period: keyof typeof PERIODS
  readonly interval: keyof typeof WINDOWS
  readonly limit: number
  readonly offset: number
}

export type HistoryPage = { readonly points: readonly ApyPoint[]; readonly total: number }

/**
 * A page of the history of one validator, or of the network if none is named: the newest points, in ascending
 * order.
 */
export function readHistory(
  view: NetworkView,
  validatorId: string | undefined,
  request: HistoryRequest,
): HistoryPage {
  const since = view.snapshot.epoch.startedAt - PERIODS[request.period] * DAY_MS
  const points = groupPoints(
    view.apyPoints(validatorId).filter((point) => point.endedAt > since),
    WINDOWS[request.interval],
  )
  const end = Math.max(0, points.length - request.offset)
  return { points: points.slice(Math.max(0, end - request.limit), end), total: points.length }
}

function groupPoints(points: readonly ApyPoint[], windowOf: ((at: number) => number) | undefined) {
  if (!windowOf) return points
  const groups = Map.groupBy(points, (point) => windowOf(point.endedAt))
  return [...groups.values()].flatMap((group) => meanOf(group) ?? [])
}

/** The mean of a window's epochs, with the number, end and stake of its last epoch. */
function meanOf(group: readonly ApyPoint[]): ApyPoint | undefined {
  const last = group.at(-1)
  if (!last) return undefined
  const mean = (pick: (point: ApyPoint) => number) =>
    group.reduce((sum, point) => sum + pick(point), 0) / group.length
  const ofOne = group.length === 1 ? {} : { performed: undefined, shards: undefined }
  return {
    ...last,
    ...ofOne,
    apy: mean((point) => point.apy),
    commissionRate: mean((point) => point.commissionRate),
  }
}
