/** A minimal model of the limits of agents. The store must agree with it after every step. */

import type { RateLimits } from '#ports/stores/agents.ts'
import { DAY_MS, MINUTE_MS } from '../../src/durations.ts'

/** A window that starts further ahead than this was begun by a wrong clock. */
const CLOCK_STEP_MS = 300_000

type Window = { readonly start: number; readonly used: number }
export type ModelAgent = { limits: RateLimits; digest: string; minute: Window; day: Window }

const UNUSED: Window = { start: 0, used: 0 }

export const newModelAgent = (digest: string, limits: RateLimits): ModelAgent => ({
  limits,
  digest,
  minute: UNUSED,
  day: UNUSED,
})

/** Decides one request: admitted with its use, or limited until `retryAt`. A refusal changes nothing. */
export function ask(agent: ModelAgent, now: number) {
  const { limits } = agent
  const minute = present(agent.minute, now, MINUTE_MS)
  const day = present(agent.day, now, DAY_MS)
  if (minute.used >= limits.rpm || day.used >= limits.rpd) {
    const isForToday = day.used >= limits.rpd || limits.rpm === 0
    return { kind: 'limited', retryAt: isForToday ? day.start + DAY_MS : minute.start + MINUTE_MS }
  }
  agent.minute = { start: minute.start, used: minute.used + 1 }
  agent.day = { start: day.start, used: day.used + 1 }
  return {
    kind: 'admitted',
    used: [agent.minute.used, agent.day.used],
    resetAt: minute.start + MINUTE_MS,
  }
}

/** The newest window stays in force, unless it is far ahead. */
function present(window: Window, now: number, length: number): Window {
  const start = Math.floor(now / length) * length
  const isKept = window.start >= start && window.start <= now + CLOCK_STEP_MS
  return isKept ? window : { start, used: 0 }
}
