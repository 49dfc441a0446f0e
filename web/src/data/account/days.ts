import type { Day } from '../../plots/day-bars.ts'

const DAY_MS = 86_400_000

/** Counts by name for each of the last `count` UTC days up to `now`. */
export function countByDay(
  items: readonly { readonly at: string; readonly name: string }[],
  now: number,
  count: number,
): readonly Day[] {
  const today = Math.floor(now / DAY_MS)
  const days = Array.from({ length: count }, (_, index) => ({
    at: (today - count + 1 + index) * DAY_MS,
    counts: new Map<string, number>(),
  }))
  for (const { at, name } of items) {
    const day = days[Math.floor(Date.parse(at) / DAY_MS) - (today - count + 1)]
    day?.counts.set(name, (day.counts.get(name) ?? 0) + 1)
  }
  return days.map(({ at, counts }) => ({
    at,
    parts: [...counts].map(([name, each]) => ({ name, count: each })),
  }))
}

/** Whether a time is within these days. If the oldest item read is, older items may belong to them, too. */
export const isWithin = (at: string | undefined, days: readonly Day[]): boolean =>
  at !== undefined && Date.parse(at) >= (days[0]?.at ?? 0)

/** The names, most frequent first. */
export function commonest(items: readonly { readonly name: string }[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { name } of items) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
}
