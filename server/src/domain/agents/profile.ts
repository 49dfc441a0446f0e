import type { DayCounts } from '#ports/stores/admission.ts'
import { dayOf, PROFILE_DAYS } from '../../durations.ts'
import { FREE_CALLS } from '../limits/admission-rules.ts'
import { ENDPOINT_KINDS, type EndpointKind } from './endpoint-kinds.ts'

/** An agent's usage of the service in the last 30 UTC days, today included. */
export type Profile = {
  readonly avgDailyQueries: number
  readonly termShoppingCount: number
  readonly underwritingCount: number
  readonly policyCheckCount: number
  /** Percent of requests for a transaction that followed both a look-up and a policy check; 0 while there is none. */
  readonly riskAwarenessScore: number
  readonly toolBreakdown: Readonly<Record<string, number>>
  readonly periodDays: number
}

export const firstDayOfProfile = (now: number): number => dayOf(now) - PROFILE_DAYS + 1

/** Adds up the stored daily counts, so the cost does not depend on the number of logged requests. */
export function profileOf(days: readonly DayCounts[], createdAt: number, now: number): Profile {
  const toolBreakdown: Record<string, number> = {}
  let built = 0
  let builtAware = 0
  for (const day of days) {
    for (const [tool, count] of Object.entries(day.tools))
      if (tool !== FREE_CALLS) toolBreakdown[tool] = (toolBreakdown[tool] ?? 0) + count
    built += day.built
    builtAware += day.builtAware
  }
  const countOf = (kind: EndpointKind) =>
    sum(Object.entries(toolBreakdown).map(([tool, count]) => (ENDPOINT_KINDS[tool] === kind ? count : 0)))
  return {
    avgDailyQueries: round(sum(Object.values(toolBreakdown)) / daysOfExistence(createdAt, now)),
    termShoppingCount: countOf('look-up'),
    underwritingCount: countOf('computation'),
    policyCheckCount: countOf('policy-check'),
    riskAwarenessScore: built === 0 ? 0 : round((100 * builtAware) / built),
    toolBreakdown,
    periodDays: PROFILE_DAYS,
  }
}

/** The requests on each day that a profile covers, today last. */
export function requestsPerDay(days: ReadonlyMap<number, DayCounts>, now: number): number[] {
  const first = firstDayOfProfile(now)
  return Array.from({ length: PROFILE_DAYS }, (_, index) => requestsOn(days.get(first + index)))
}

const requestsOn = (day: DayCounts | undefined): number =>
  sum(Object.entries(day?.tools ?? {}).map(([tool, count]) => (tool === FREE_CALLS ? 0 : count)))

/** The days of the window on which the agent existed; a partial day counts as one. */
function daysOfExistence(createdAt: number, now: number): number {
  const days = dayOf(now) - dayOf(createdAt) + 1
  return Math.min(PROFILE_DAYS, Math.max(1, days))
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const round = (value: number): number => Math.round(value * 100) / 100
