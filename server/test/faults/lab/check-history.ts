import { type Call, type Event, type FinalState, isUnsure } from './history.ts'

type Checked = {
  readonly events: readonly Event[]
  readonly final: FinalState
  /** Limit per minute, by agent; only of agents with a low limit. */
  readonly limits: ReadonlyMap<string, number>
}

/** When a key must work and when not, as clients know it. */
type KeyLife = {
  readonly agent: string
  /** The key must work from the answer that issued it … */
  readonly since: number
  /** … until its end is requested … */
  endAskedAt: number
  /** … and must not work from the answer that confirmed its end. */
  deadSince: number
}

const EXPECTED: ReadonlySet<Event['status']> = new Set([200, 201, 401, 429, 503, 504, 'cut'])

/** Descriptions of all violated guarantees; empty if there are none. */
export function findViolations({ events, final, limits }: Checked): readonly string[] {
  const keys = livesOf(events)
  const calls = events.filter((event): event is Call => event.kind === 'call')
  return [
    ...events
      .filter(({ status }) => !EXPECTED.has(status))
      .map(({ kind, status }) => `a ${kind} was answered with ${status}`),
    ...calls.flatMap((call) => wrongAnswers(call, keys.get(call.key))),
    ...overLimits(calls, limits),
    ...uncounted(calls, final),
    ...lostChanges(events, keys, final),
    ...(final.isLogIntact ? [] : ['the audit log is broken']),
  ]
}

function livesOf(events: readonly Event[]): ReadonlyMap<string, KeyLife> {
  const lives = new Map<string, KeyLife>()
  const begin = (agent: string, key: string, since: number) =>
    lives.set(key, {
      agent,
      since,
      endAskedAt: Number.POSITIVE_INFINITY,
      deadSince: Number.POSITIVE_INFINITY,
    })
  for (const event of events) {
    if (event.kind === 'register' && event.status === 201) begin(event.agent, event.key, event.endedAt)
    if (event.kind === 'rotate' && event.key !== undefined) begin(event.agent, event.key, event.endedAt)
    if (event.kind !== 'rotate' && event.kind !== 'revoke') continue
    // All keys of the agent, not only `oldKey`: a rotation without an answer may have replaced that one already.
    for (const life of [...lives.values()].filter(({ agent }) => agent === event.agent)) {
      if (event.kind === 'rotate' && life === lives.get(event.key ?? '')) continue
      life.endAskedAt = Math.min(life.endAskedAt, event.startedAt)
      if (event.status === 200) life.deadSince = Math.min(life.deadSince, event.endedAt)
    }
  }
  return lives
}

function wrongAnswers(call: Call, life: KeyLife | undefined): readonly string[] {
  if (!life) return []
  if (call.status === 200 && call.startedAt > life.deadSince)
    return [`a dead key of ${call.agent} was served ${Math.round(call.startedAt - life.deadSince)} ms later`]
  if (call.status === 401 && call.startedAt > life.since && call.endedAt < life.endAskedAt)
    return [`a living key of ${call.agent} was refused ${Math.round(call.startedAt - life.since)} ms later`]
  return []
}

function overLimits(calls: readonly Call[], limits: ReadonlyMap<string, number>): readonly string[] {
  const served = new Map<string, number>()
  for (const { agent, window, status } of calls) {
    if (status !== 200 || window === undefined) continue
    const name = `${agent} until ${window}`
    served.set(name, (served.get(name) ?? 0) + 1)
  }
  return [...served].flatMap(([name, count]) => {
    const limit = limits.get(name.split(' ')[0] ?? '') ?? Number.POSITIVE_INFINITY
    return count > limit ? [`${name} was served ${count} times, ${limit} are allowed`] : []
  })
}

/** Every served call is logged once; a call with an unknown outcome is logged at most once. */
function uncounted(calls: readonly Call[], { logged }: FinalState): readonly string[] {
  const byAgent = Map.groupBy(calls, ({ agent }) => agent)
  return [...byAgent].flatMap(([agent, own]) => {
    const served = own.filter(({ status }) => status === 200).length
    const unsure = own.filter(({ status }) => isUnsure(status)).length
    const found = logged.get(agent) ?? 0
    if (found >= served && found <= served + unsure) return []
    return [`${agent} was served ${served} times and ${unsure} are unsure, but ${found} are in the log`]
  })
}

function lostChanges(
  events: readonly Event[],
  keys: ReadonlyMap<string, KeyLife>,
  final: FinalState,
): readonly string[] {
  const lost = events
    .filter(({ kind, status }) => kind === 'register' && status === 201)
    .filter(({ agent }) => !final.agents.has(agent))
    .map(({ agent }) => `the registration of ${agent} was lost`)
  const wrong = [...keys].flatMap(([key, { agent, endAskedAt, deadSince }]) => {
    const status = final.keys.get(key)
    if (Number.isFinite(deadSince))
      return status === 401 ? [] : [`a dead key of ${agent} gets ${status} in the end`]
    if (Number.isFinite(endAskedAt)) return []
    return status === 200 || status === 429 ? [] : [`a living key of ${agent} gets ${status} in the end`]
  })
  return [...lost, ...wrong]
}
