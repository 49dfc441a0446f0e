import { SCORING } from '../../../server/src/domain/staking/scoring/scoring-rules.ts'
import { EPOCHS_PER_YEAR, epochRate } from '../market-view.ts'
import type { HistoryEpoch, HistoryRow } from '../read-history.ts'
import type { Scenario } from '../scenario.ts'
import type { Portfolio, Strategy } from '../strategy.ts'
import { bestCourse, type Future } from './best-course.ts'

/** What a rule knows of the epochs ahead. Stakes are with the commissions and the performance of their epochs. */
type Known = {
  /** For how many epochs ahead it is known who is a member. */
  readonly members: number
  readonly stakes: boolean
  /** The epoch in which it decides, which a chain mostly tells ahead: stake on its way is public. */
  readonly present: boolean
}

const AHEAD = 10
const ALL = { members: Infinity, stakes: true, present: true } as const
const NOTHING = { members: 0, stakes: false, present: false } as const
/** How far ahead the members would have to be known. */
const MEMBERS_AHEAD = [1, 2, 3, 5, AHEAD] as const
/** How exactly courses are computed, as parts of what is earned: all epochs at once, and ten of them each epoch. */
const WITHIN = { whole: 5e-4, ahead: 2e-3 } as const

/**
 * Where pay is equal: rules that know less and less of the future and pay for moving, to see what each bit of knowledge
 * is worth. They take the best course over the epochs ahead and begin it; in the next epoch they look again.
 */
export function knowingRules(scenario: Scenario): readonly Strategy[] {
  const ahead = (name: string, known: Known): Strategy => ({
    name,
    every: 1,
    movesForFree: false,
    decide: ({ latest, past }, held, coming) =>
      follow(scenario, futureFrom(scenario, { latest, past, coming }, known, AHEAD), held, WITHIN.ahead)
        .first,
  })
  return [
    wholeStretch(scenario),
    ahead('all known, 10 epochs ahead', ALL),
    ...MEMBERS_AHEAD.map((members) =>
      ahead(`members known, ${members} of 10 epochs ahead`, { ...NOTHING, members }),
    ),
    ahead('stakes known, 10 epochs ahead', { ...NOTHING, stakes: true }),
    ahead('present epoch known', { ...NOTHING, present: true }),
    ahead('nothing known', NOTHING),
  ]
}

/** Knows everything to the end, and decides once for all epochs. */
function wholeStretch(scenario: Scenario): Strategy {
  let rest: readonly Portfolio[] = []
  return {
    name: 'all known to the end',
    every: 1,
    movesForFree: false,
    decide: ({ latest, past }, held, coming) => {
      if (held.size === 0) {
        const future = futureFrom(scenario, { latest, past, coming }, ALL, scenario.history.length)
        const course = follow(scenario, future, held, WITHIN.whole)
        console.log(`all known to the end: no course earns more than ${course.bound.toFixed(3)} % a year`)
        rest = course.all
      }
      const [now = held, ...later] = rest
      rest = later
      return now
    },
  }
}

function follow(
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

type Now = {
  readonly latest: HistoryEpoch
  readonly past: readonly HistoryEpoch[]
  readonly coming: HistoryEpoch
}

/** What is known of the epochs from `coming` on; what is not stays as it was last seen, with its chance of a place. */
function futureFrom(
  { history, amount }: Scenario,
  { latest, past, coming }: Now,
  known: Known,
  ahead: number,
): Future & { readonly ids: readonly string[] } {
  const from = history.indexOf(coming)
  const epochs = history.slice(from, from + ahead)
  const seen = known.present ? (history[from - 1] ?? latest) : latest
  const ids = [...new Set([latest, seen, ...epochs].flatMap(({ rows }) => [...rows.keys()]))].toSorted()
  const chance = chancesOf(seen, epochs[known.members - 1] ?? seen)
  // How long ago that is, in the first epoch that is paid.
  const since = known.members > 0 ? -known.members + 1 : known.present ? 1 : 2
  const [pots, stakes] = [
    new Float64Array(epochs.length * ids.length),
    new Float64Array(epochs.length * ids.length),
  ]
  const usual = new Map(ids.map((id) => [id, usualUptime(past, id)]))
  for (const [t, epoch] of epochs.entries()) {
    const source = known.stakes ? epoch : seen
    const { rowOf, each, smallest } = lookInto(source)
    for (const [i, id] of ids.entries()) {
      const row = rowOf(id)
      const uptime = known.stakes ? (row?.uptime ?? 1) : usual.get(id)
      const place = t < known.members ? Number(epoch.rows.has(id)) : chance(id, t + since)
      // Whoever is to be a member has at least what the smallest member has.
      const stake = Math.max(Number(row?.stake ?? 0n), smallest)
      const apy = ((1 - (row?.commission ?? 0)) * (uptime ?? 1) * each) / stake
      const cell = t * ids.length + i
      pots[cell] = (100 * place * EPOCHS_PER_YEAR * epochRate(apy) * stake) / Number(amount)
      stakes[cell] = stake / Number(amount)
    }
  }
  return { places: ids.length, pots, stakes, ids }
}

function lookInto({ rows, outside }: HistoryEpoch) {
  const waiting = new Map(outside.map((row) => [row.validator, row]))
  const rowOf = (id: string): HistoryRow | undefined => rows.get(id) ?? waiting.get(id)
  const members = [...rows.values()]
  const paying = members.find(({ apy }) => apy > 0)
  const each = paying
    ? (paying.apy * Number(paying.stake)) / ((1 - paying.commission) * (paying.uptime ?? 1))
    : 0
  return { rowOf, each, smallest: Math.min(...members.map(({ stake }) => Number(stake))) }
}

/** Drawn towards 0.95, as the service does. */
function usualUptime(past: readonly HistoryEpoch[], id: string): number {
  const seen = past.slice(-SCORING.windows.history).flatMap(({ rows }) => rows.get(id)?.uptime ?? [])
  const { epochs, quality } = SCORING.prior
  return (seen.reduce((sum, one) => sum + one, 0) + epochs * quality) / (seen.length + epochs)
}

/** That one of these members is still one so many epochs later, by the danger that the service counts with. */
function chancesOf(
  { rows, outside }: HistoryEpoch,
  members: HistoryEpoch,
): (id: string, epochs: number) => number {
  const rival = Math.max(...outside.map(({ stake }) => Number(stake)))
  const { perEpoch, fading } = SCORING.retention.eviction
  return (id, epochs) => {
    if (!members.rows.has(id)) return 0
    const headroom = Math.max(0, Number(rows.get(id)?.stake ?? 0n) / rival - 1)
    return (1 - perEpoch * Math.exp(-headroom / fading)) ** epochs
  }
}
