import { SCORING } from '../../../server/src/domain/staking/scoring/scoring-rules.ts'
import { EPOCHS_PER_YEAR, epochRate } from '../market-view.ts'
import type { HistoryEpoch, HistoryRow } from '../read-history.ts'
import type { Scenario } from '../scenario.ts'
import type { Portfolio, Strategy } from '../strategy.ts'
import { bestCourse, type Future } from './best-course.ts'
import { headroomOf, largestOutside } from './member-chance.ts'

/** The data of future epochs that a rule may use. `stakes` includes commissions and performance. */
type Knowledge = {
  /** The number of epochs ahead whose members are known. */
  readonly members: number
  readonly stakes: boolean
  /** The epoch of the decision itself. A chain shows most of it in advance, because pending stake is public. */
  readonly present: boolean
}

const AHEAD = 10
const ALL = { members: Infinity, stakes: true, present: true } as const
const NOTHING = { members: 0, stakes: false, present: false } as const
/** Variants of `members` that are compared. */
const MEMBERS_AHEAD = [1, 2, 3, 5, AHEAD] as const
/** Relative accuracy of courses: over the whole history, computed once, and over ten epochs, computed every epoch. */
const WITHIN = { whole: 5e-4, ahead: 2e-3 } as const

/**
 * For equal pay: rules that know less and less of the future and pay for moving, to measure the value of each kind of
 * knowledge. Each computes the best course over the epochs ahead, takes its first step, and computes again an epoch later.
 */
export function foresightRules(scenario: Scenario): readonly Strategy[] {
  const ahead = (name: string, known: Knowledge): Strategy => ({
    name,
    every: 1,
    movesForFree: false,
    decide: ({ latest, past }, held, coming) =>
      solveCourse(
        scenario,
        predictFuture(scenario, { latest, past, coming }, known, AHEAD),
        held,
        WITHIN.ahead,
      ).first,
  })
  return [
    fullHindsight(scenario),
    ahead('all known, 10 epochs ahead', ALL),
    ...MEMBERS_AHEAD.map((members) =>
      ahead(`members known, ${members} of 10 epochs ahead`, { ...NOTHING, members }),
    ),
    ahead('stakes known, 10 epochs ahead', { ...NOTHING, stakes: true }),
    ahead('present epoch known', { ...NOTHING, present: true }),
    ahead('nothing known', NOTHING),
  ]
}

/** Knows all epochs to the end, computes one course at the start, and follows it. */
function fullHindsight(scenario: Scenario): Strategy {
  let rest: readonly Portfolio[] = []
  return {
    name: 'all known to the end',
    every: 1,
    movesForFree: false,
    decide: ({ latest, past }, held, coming) => {
      if (held.size === 0) {
        const future = predictFuture(scenario, { latest, past, coming }, ALL, scenario.history.length)
        const course = solveCourse(scenario, future, held, WITHIN.whole)
        console.log(`all known to the end: no course earns more than ${course.bound.toFixed(3)} % a year`)
        rest = course.all
      }
      const [now = held, ...later] = rest
      rest = later
      return now
    },
  }
}

function solveCourse(
  { history }: Scenario,
  { ids, ...future }: Future & { readonly ids: readonly string[] },
  held: Portfolio,
  within: number,
) {
  const start = held.size === 0 ? undefined : Float64Array.from(ids, (id) => held.get(id) ?? 0)
  const { parts, bound } = bestCourse(future, start, within)
  const epochs = parts.length / ids.length
  const all = Array.from({ length: Math.min(epochs, history.length) }, (_, t): Portfolio => {
    const row = parts.subarray(t * ids.length, (t + 1) * ids.length)
    return new Map(
      ids.flatMap((id, i): [string, number][] => ((row[i] ?? 0) > 1e-9 ? [[id, row[i] ?? 0]] : [])),
    )
  })
  return { all, first: all[0] ?? held, bound: bound / epochs }
}

type Decision = {
  readonly latest: HistoryEpoch
  readonly past: readonly HistoryEpoch[]
  readonly coming: HistoryEpoch
}

/** The epochs from `coming` on: as recorded where known, otherwise as last seen and weighted by the chance of membership. */
function predictFuture(
  { history, amount }: Scenario,
  { latest, past, coming }: Decision,
  known: Knowledge,
  ahead: number,
): Future & { readonly ids: readonly string[] } {
  const from = history.indexOf(coming)
  const epochs = history.slice(from, from + ahead)
  const seen = known.present ? (history[from - 1] ?? latest) : latest
  const ids = [...new Set([latest, seen, ...epochs].flatMap(({ rows }) => [...rows.keys()]))].toSorted()
  const chance = memberChances(seen, epochs[known.members - 1] ?? seen)
  // The age of the last known membership in the first epoch that is paid.
  const since = known.members > 0 ? -known.members + 1 : known.present ? 1 : 2
  const [pots, stakes] = [
    new Float64Array(epochs.length * ids.length),
    new Float64Array(epochs.length * ids.length),
  ]
  const uptimes = new Map(ids.map((id) => [id, estimateUptime(past, id)]))
  for (const [t, epoch] of epochs.entries()) {
    const source = known.stakes ? epoch : seen
    const { rowOf, each, smallest } = indexEpoch(source)
    for (const [i, id] of ids.entries()) {
      const row = rowOf(id)
      const uptime = known.stakes ? (row?.uptime ?? 1) : uptimes.get(id)
      const place = t < known.members ? Number(epoch.rows.has(id)) : chance(id, t + since)
      // A member has at least the stake of the smallest member.
      const stake = Math.max(Number(row?.stake ?? 0n), smallest)
      const apy = ((1 - (row?.commission ?? 0)) * (uptime ?? 1) * each) / stake
      const cell = t * ids.length + i
      pots[cell] = (100 * place * EPOCHS_PER_YEAR * epochRate(apy) * stake) / Number(amount)
      stakes[cell] = stake / Number(amount)
    }
  }
  return { places: ids.length, pots, stakes, ids }
}

function indexEpoch({ rows, outside }: HistoryEpoch) {
  const waiting = new Map(outside.map((row) => [row.validator, row]))
  const rowOf = (id: string): HistoryRow | undefined => rows.get(id) ?? waiting.get(id)
  const members = [...rows.values()]
  const paying = members.find(({ apy }) => apy > 0)
  const each = paying
    ? (paying.apy * Number(paying.stake)) / ((1 - paying.commission) * (paying.uptime ?? 1))
    : 0
  return { rowOf, each, smallest: Math.min(...members.map(({ stake }) => Number(stake))) }
}

/** The mean uptime, shrunk towards the service's prior. */
function estimateUptime(past: readonly HistoryEpoch[], id: string): number {
  const seen = past.slice(-SCORING.windows.history).flatMap(({ rows }) => rows.get(id)?.uptime ?? [])
  const { epochs, quality } = SCORING.prior
  return (seen.reduce((sum, one) => sum + one, 0) + epochs * quality) / (seen.length + epochs)
}

/** The chance that one of `members` still is a member `epochs` later, by the eviction model of the service. */
function memberChances(seen: HistoryEpoch, members: HistoryEpoch): (id: string, epochs: number) => number {
  const rival = largestOutside(seen)
  const { perEpoch, fading } = SCORING.retention.eviction
  return (id, epochs) => {
    if (!members.rows.has(id)) return 0
    const headroom = Math.max(0, headroomOf(Number(seen.rows.get(id)?.stake ?? 0n), rival))
    return (1 - perEpoch * Math.exp(-headroom / fading)) ** epochs
  }
}
