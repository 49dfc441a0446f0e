import type { Event } from './history.ts'

/** One fault: from when it began until all instances served again. All times are of one monotonic clock. */
export type FaultSpan = {
  readonly name: string
  readonly startedAt: number
  readonly mendedAt: number
  readonly servedAt: number
}

export type FaultTimes = {
  readonly times: number
  readonly refused: number
  /** The longest that somebody waited for a 503 while it lasted, without the time in which an instance had a fault. */
  readonly slowestRefusalMs: number
  /** The longest from its end until all instances served again. */
  readonly slowestReturnMs: number
}

/** What is promised when a store is away, and when it is back. */
const MOST_REFUSAL_MS = 1_100
const MOST_RETURN_MS = 2_000

/** A process that is stopped answers nobody, and one that was killed has to start: nothing is promised for these. */
const OF_INSTANCES: readonly string[] = [
  'an instance is killed',
  'an instance stops for a while',
  'the clock of a machine is wrong',
  'the clocks are put right',
]

export function faultTimes(
  spans: readonly FaultSpan[],
  events: readonly Event[],
): Readonly<Record<string, FaultTimes>> {
  const refusals = events.filter(({ status }) => status === 503)
  const byName = Object.groupBy(spans, ({ name }) => name)
  const ofInstances = spans.filter(({ name }) => OF_INSTANCES.includes(name))
  return Object.fromEntries(
    Object.entries(byName).map(([name, same = []]) => {
      const during = refusals.filter(({ startedAt }) =>
        same.some((span) => startedAt >= span.startedAt && startedAt <= span.servedAt),
      )
      // Whoever asked during this fault may still wait when the next one stops the instance that was asked.
      const others = OF_INSTANCES.includes(name) ? [] : ofInstances
      return [
        name,
        {
          times: same.length,
          refused: during.length,
          slowestRefusalMs: longest(during.map((refusal) => waitedMs(refusal, others))),
          slowestReturnMs: longest(same.map(({ mendedAt, servedAt }) => servedAt - mendedAt)),
        },
      ]
    }),
  )
}

function waitedMs({ startedAt, endedAt }: Event, others: readonly FaultSpan[]): number {
  const excused = others.map((span) =>
    Math.max(0, Math.min(endedAt, span.servedAt) - Math.max(startedAt, span.startedAt)),
  )
  return endedAt - startedAt - excused.reduce((sum, ms) => sum + ms, 0)
}

/** The promises that were not kept. */
export const findLate = (times: Readonly<Record<string, FaultTimes>>): readonly string[] =>
  Object.entries(times).flatMap(([name, { slowestRefusalMs, slowestReturnMs }]) => {
    if (OF_INSTANCES.includes(name)) return []
    return [
      ...(slowestRefusalMs > MOST_REFUSAL_MS ? [`${name}: a refusal took ${slowestRefusalMs} ms`] : []),
      ...(slowestReturnMs > MOST_RETURN_MS ? [`${name}: served again after ${slowestReturnMs} ms`] : []),
    ]
  })

const longest = (all: readonly number[]): number =>
  Math.round(all.reduce((most, each) => Math.max(most, each), 0))
