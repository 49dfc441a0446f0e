import type { Event } from './history.ts'

/** One fault, from its start until all instances served again. All times are from one monotonic clock. */
export type FaultSpan = {
  readonly name: string
  readonly startedAt: number
  readonly mendedAt: number
  readonly servedAt: number
}

export type FaultTimes = {
  readonly times: number
  readonly refused: number
  /** Longest wait for a 503 during the fault, without the time in which an instance had a fault. */
  readonly slowestRefusalMs: number
  /** Longest time from the end of the fault until all instances served again. */
  readonly slowestReturnMs: number
}

/** Guaranteed upper bounds while a store is away, and after its return. */
const MAX_REFUSAL_MS = 1_100
const MAX_RETURN_MS = 2_000

/** Faults without a guaranteed time: a stopped process cannot answer, and a killed one has to start. */
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
      // A request sent during this fault may still wait when the next fault stops its instance.
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
  const overlaps = others.map((span) =>
    Math.max(0, Math.min(endedAt, span.servedAt) - Math.max(startedAt, span.startedAt)),
  )
  return endedAt - startedAt - overlaps.reduce((sum, ms) => sum + ms, 0)
}

/** Descriptions of all exceeded bounds. */
export const findLate = (times: Readonly<Record<string, FaultTimes>>): readonly string[] =>
  Object.entries(times).flatMap(([name, { slowestRefusalMs, slowestReturnMs }]) => {
    if (OF_INSTANCES.includes(name)) return []
    return [
      ...(slowestRefusalMs > MAX_REFUSAL_MS ? [`${name}: a refusal took ${slowestRefusalMs} ms`] : []),
      ...(slowestReturnMs > MAX_RETURN_MS ? [`${name}: served again after ${slowestReturnMs} ms`] : []),
    ]
  })

const longest = (all: readonly number[]): number =>
  Math.round(all.reduce((most, each) => Math.max(most, each), 0))
