import { setTimeout as pause } from 'node:timers/promises'
import { type KnownAgent, METADATA, manage, toAgent } from '../../scale/support/services.ts'
import { type RawAnswer, sendRaw } from '../../support/raw-request.ts'
import type { Chance } from './faults.ts'
import { type Call, type Event, isUnsure, type Status } from './history.ts'

export const LIMIT = 60
const PLENTY = { rpm: 1_000_000, rpd: 100_000_000 }
const AGENTS_EACH = 3
const PAUSE_MS = 15

export type Clients = {
  readonly events: Event[]
  readonly limits: ReadonlyMap<string, number>
  /** Sends one call more and records its answer. */
  call(url: string, agent: KnownAgent): Promise<Call>
  stop(): Promise<void>
}

/** How long an instance may be away, or take to answer, after a fault. */
export const MAX_WAIT_MS = 60_000

/** Undefined if the connection is cut or the answer takes too long. */
export const answerOf = (asked: Promise<RawAnswer>): Promise<RawAnswer | undefined> =>
  Promise.race([asked.catch(() => undefined), pause(MAX_WAIT_MS, undefined, { ref: false })])

/** Starts clients that register, rotate, revoke and call almost without pauses, and record every answer. */
export function startClients(urls: readonly string[], now: () => number, chance: Chance): Clients {
  const events: Event[] = []
  const limits = new Map<string, number>()
  const living = new Map<string, KnownAgent>()
  let isOver = false

  async function record<Recorded extends Event>(
    ask: () => Promise<RawAnswer>,
    toEvent: (
      outcome: { startedAt: number; endedAt: number; status: Status },
      answer?: RawAnswer,
    ) => Recorded,
  ): Promise<Recorded> {
    const startedAt = performance.now()
    const answer = await answerOf(ask())
    const event = toEvent({ startedAt, endedAt: performance.now(), status: answer?.status ?? 'cut' }, answer)
    events.push(event)
    return event
  }

  const anyUrl = () => chance.pick(urls)

  async function register(rateLimits = PLENTY): Promise<KnownAgent | undefined> {
    const agent = { agentName: 'lab', tier: 'enterprise', email: 'ann@example.com', rateLimits }
    const {
      status,
      agent: id,
      key,
    } = await record(
      () => manage(anyUrl(), 'POST register', agent, now()),
      (outcome, answer) => {
        const made = answer?.status === 201 ? toAgent(answer) : undefined
        return { kind: 'register', ...outcome, agent: made?.id ?? '', key: made?.apiKey ?? '' }
      },
    )
    if (status !== 201) return undefined
    if (rateLimits !== PLENTY) limits.set(id, rateLimits.rpm)
    const made = { id, apiKey: key }
    living.set(id, made)
    return made
  }

  /** Retries until the outcome is known or the run is over. */
  async function rotate({ id, apiKey }: KnownAgent): Promise<KnownAgent | undefined> {
    for (;;) {
      const { status, key } = await record(
        () => manage(anyUrl(), `POST ${id}/rotate`, {}, now()),
        (outcome, answer) => ({
          kind: 'rotate',
          ...outcome,
          agent: id,
          oldKey: apiKey,
          key: answer?.status === 200 ? toAgent(answer).apiKey : undefined,
        }),
      )
      if (key !== undefined) return { id, apiKey: key }
      if (!isUnsure(status) || isOver) return undefined
      await pause(PAUSE_MS)
    }
  }

  async function revoke({ id, apiKey }: KnownAgent): Promise<void> {
    living.delete(id)
    for (;;) {
      const { status } = await record(
        () => manage(anyUrl(), `DELETE ${id}`, undefined, now()),
        (outcome) => ({ kind: 'revoke', ...outcome, agent: id, oldKey: apiKey }),
      )
      if (!isUnsure(status) || isOver) return
      await pause(PAUSE_MS)
    }
  }

  /** Manages its own agents one call after another, so that the order of their changes is known. */
  async function keepManaging(): Promise<void> {
    const own: KnownAgent[] = []
    while (!isOver) {
      if (own.length < AGENTS_EACH) {
        const made = await register()
        if (made) own.push(made)
      } else if (chance.below(4) === 0) {
        const [gone] = own.splice(chance.below(own.length), 1)
        if (gone) await revoke(gone)
      } else {
        const at = chance.below(own.length)
        const [old] = own.splice(at, 1)
        const fresh = old && (await rotate(old))
        if (fresh) {
          own.push(fresh)
          living.set(fresh.id, fresh)
        }
      }
      await pause(PAUSE_MS * 4)
    }
  }

  async function keepCalling(url: string, choose: () => KnownAgent | undefined): Promise<void> {
    while (!isOver) {
      const agent = choose()
      if (agent) await call(url, agent)
      await pause(PAUSE_MS)
    }
  }

  const call = (url: string, { id, apiKey }: KnownAgent) =>
    record(
      () => sendRaw(url, `GET ${METADATA}`, { headers: ['X-API-Key', apiKey] }),
      (outcome, answer) => ({
        kind: 'call',
        ...outcome,
        url,
        agent: id,
        key: apiKey,
        window: answer && String(answer.headers['x-ratelimit-reset']),
      }),
    )

  const someAgent = () => {
    const free = [...living.values()].filter(({ id }) => !limits.has(id))
    return free.length > 0 ? chance.pick(free) : undefined
  }
  const limited = () => [...living.values()].find(({ id }) => limits.has(id))
  const lanes = [
    (async () => {
      while (!isOver && limits.size === 0) await register({ ...PLENTY, rpm: LIMIT })
    })(),
    keepManaging(),
    ...urls.flatMap((url) => [
      keepCalling(url, someAgent),
      keepCalling(url, someAgent),
      keepCalling(url, limited),
    ]),
  ]
  return {
    events,
    limits,
    call,
    async stop() {
      isOver = true
      await Promise.all(lanes)
    },
  }
}
