import { DAY_MS, HOUR_MS } from '../../src/durations.ts'

/** Reference model of agents, keys and registration limits, which the store must agree with after every step. */

const CLOCK_STEP_MS = 300_000

export const QUOTA = { perIpHour: 2, perIpDay: 3, perDay: 4 }

export type ModelKey = { readonly apiKey: string; diesAt: number }

export type ModelAgent = {
  readonly id: string
  readonly owner: string
  status: 'pending_verification' | 'active' | 'suspended' | 'revoked'
  verifyBy: number
  readonly tokens: string[]
  /** All keys the agent ever had, newest last. */
  readonly keys: ModelKey[]
}

export type Model = {
  now: number
  readonly agents: ModelAgent[]
  /** Expiry time by token. */
  readonly tokens: Map<string, number>
  readonly hits: Map<string, number>
  readonly newestWindow: Map<string, number>
}

export const newModel = (now: number): Model => ({
  now,
  agents: [],
  tokens: new Map(),
  hits: new Map(),
  newestWindow: new Map(),
})

export function statusOf(model: Model, agent: ModelAgent): string {
  return agent.status === 'pending_verification' && model.now >= agent.verifyBy ? 'expired' : agent.status
}

export function keyWorks(model: Model, agent: ModelAgent, key: ModelKey): boolean {
  return agent.status === 'active' && model.now < key.diesAt
}

export function addAgent(model: Model, agent: Pick<ModelAgent, 'id' | 'owner' | 'status'>, apiKey: string) {
  const added = { ...agent, verifyBy: 0, tokens: [], keys: [{ apiKey, diesAt: Number.POSITIVE_INFINITY }] }
  model.agents.push(added)
  return added
}

/** Adds a verification link. As in the store, each new token deletes those that expired a day ago. */
export function addLink(model: Model, agent: ModelAgent, token: string): void {
  forgetTokens(model)
  agent.verifyBy = model.now + DAY_MS
  agent.tokens.push(token)
  model.tokens.set(token, agent.verifyBy)
}

export function forgetTokens(model: Model): void {
  for (const [token, end] of model.tokens) if (end <= model.now - DAY_MS) model.tokens.delete(token)
}

export function replaceKey(model: Model, agent: ModelAgent, apiKey: string, graceSeconds: number): void {
  const last = agent.keys.at(-1)
  for (const key of agent.keys) {
    key.diesAt =
      key === last && graceSeconds > 0 ? model.now + graceSeconds * 1_000 : Number.NEGATIVE_INFINITY
  }
  agent.keys.push({ apiKey, diesAt: Number.POSITIVE_INFINITY })
}

export function newestPending(model: Model, owner: string): ModelAgent | undefined {
  return model.agents.findLast(
    (agent) => agent.owner === owner && statusOf(model, agent) === 'pending_verification',
  )
}

/**
 * Counts a registration, or returns when the last of the full windows ends. Each limit has one window. It is kept when the
 * clock steps back by up to five minutes; a window further ahead came from a wrong clock and is dropped.
 */
export function chargeRegistration(model: Model, ip: string): number | undefined {
  const windows = [
    { name: 'ip-hour', key: ip, length: HOUR_MS, limit: QUOTA.perIpHour },
    { name: 'ip-day', key: ip, length: DAY_MS, limit: QUOTA.perIpDay },
    { name: 'day', key: '', length: DAY_MS, limit: QUOTA.perDay },
  ].map((window) => {
    const own = model.now - (model.now % window.length)
    const newest = model.newestWindow.get(window.name) ?? 0
    const start = newest > model.now + CLOCK_STEP_MS ? own : Math.max(own, newest)
    return { ...window, start, count: `${window.name} ${window.key} ${start}` }
  })
  const full = windows.filter(({ count, limit }) => (model.hits.get(count) ?? 0) >= limit)
  if (full.length > 0) return Math.max(...full.map(({ start, length }) => start + length))
  for (const { name, start, count } of windows) {
    if (model.newestWindow.get(name) !== start) forgetHits(model, name)
    model.newestWindow.set(name, start)
    model.hits.set(count, (model.hits.get(count) ?? 0) + 1)
  }
  return undefined
}

function forgetHits(model: Model, name: string): void {
  for (const count of model.hits.keys()) if (count.startsWith(`${name} `)) model.hits.delete(count)
}
