import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { toBatch } from '#adapters/sql/audit/batch.ts'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { verifyPostgresAudit } from '#adapters/sql/postgres/audit/verify.ts'
import { SECRETS } from '../../scale/support/admin-token.ts'
import { METADATA } from '../../scale/support/services.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { seededRandom } from '../../support/sample-network.ts'
import { findViolations } from './check-history.ts'
import { type Clients, startClients } from './clients.ts'
import { type FaultSpan, type FaultTimes, faultTimes, findLate } from './fault-times.ts'
import { type Chance, FAULTS } from './faults.ts'
import type { Event, FinalState, Status } from './history.ts'
import { openStage, type Stage } from './stage.ts'

export type LabOptions = {
  readonly seed: number
  readonly ms: number
  readonly instances: number
  /** Names of the faults to use; default: all. */
  readonly faults?: readonly string[]
  /** Whether late answers are violations, too; only for a machine that does nothing else. */
  readonly isTimed?: boolean
  readonly say: (line: string) => void
}

export type LabReport = {
  readonly violations: readonly string[]
  readonly answers: Readonly<Record<string, number>>
  readonly faults: Readonly<Record<string, FaultTimes>>
}

/** Causes faults one after another for `ms` while clients use the service, then checks the recorded answers. */
export async function runLab({
  seed,
  ms,
  instances,
  faults,
  isTimed = false,
  say,
}: LabOptions): Promise<LabReport> {
  await using stage = await openStage(instances)
  const schedule = chanceOf(seed)
  const clients = startClients(stage.urls, stage.clocks.now, chanceOf(seed + 1))
  await untilServed(stage, clients)
  const spans: FaultSpan[] = []
  const endsAt = performance.now() + ms
  const names = faults ?? Object.keys(FAULTS)
  // Every fault comes once before any comes again.
  let waiting: string[] = []
  while (performance.now() < endsAt) {
    if (waiting.length === 0) waiting = [...names]
    const [name = ''] = waiting.splice(schedule.below(waiting.length), 1)
    say(`${Math.round((endsAt - performance.now()) / 1_000)} s left: ${name}`)
    const startedAt = performance.now()
    await FAULTS[name]?.(stage, schedule)
    const mendedAt = performance.now()
    await untilServed(stage, clients)
    spans.push({ name, startedAt, mendedAt, servedAt: performance.now() })
    await pause(schedule.below(500))
  }
  await clients.stop()
  const { events, limits } = clients
  const final = await finalState(stage, events)
  const ended = stage.instances.flatMap((instance) => instance.ended() ?? [])
  const times = faultTimes(spans, events)
  const late = isTimed ? findLate(times) : []
  return {
    violations: [...findViolations({ events, final, limits }), ...ended, ...late],
    answers: countBy(events.map(({ kind, status }) => `${kind} ${status}`)),
    faults: times,
  }
}

function chanceOf(seed: number): Chance {
  const random = seededRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  return {
    below,
    pick(list) {
      const picked = list[below(list.length)]
      if (picked === undefined) throw new Error('there is nothing to pick from')
      return picked
    },
  }
}

const MOST_WAIT_MS = 60_000

/**
 * Waits until every instance is ready, and then at most a minute for any call of the clients that was sent after now to
 * be served.
 */
async function untilServed({ urls, instances }: Stage, { events }: Clients): Promise<void> {
  const since = performance.now()
  for (const url of urls) {
    for (;;) {
      const answer = await sendRaw(url, `GET /readyz`).catch(() => undefined)
      if (answer?.status === 200) break
      const ended = instances.flatMap((instance) => instance.ended() ?? [])
      if (ended.length > 0 || performance.now() - since > MOST_WAIT_MS)
        throw new Error(`${url} does not come back: ${answer?.text} ${ended.join()}`)
      await pause(10)
    }
  }
  const isServed = () => events.some((event) => event.startedAt > since && event.status === 200)
  while (!isServed() && performance.now() - since < MOST_WAIT_MS) await pause(10)
}

async function finalState(stage: Stage, events: readonly Event[]): Promise<FinalState> {
  const { url } = stage.primary()
  const keys = new Map<string, Status>()
  for (const event of events) {
    if ((event.kind !== 'register' && event.kind !== 'rotate') || !event.key) continue
    let answer = await askWith(stage, event.key)
    while (answer === 503) answer = await askWith(stage, event.key)
    keys.set(event.key, answer)
  }
  const { logged, agents } = await readStore(url, new Set(events.map(({ agent }) => agent)))
  const verdict = await verifyPostgresAudit(url, auditSeal(SECRETS.KEY_PEPPER))
  // The requests made just now are in the log as well: they are subtracted below.
  const asked = new Map<string, number>()
  for (const event of events) {
    if ((event.kind === 'register' || event.kind === 'rotate') && event.key && keys.get(event.key) === 200)
      asked.set(event.agent, (asked.get(event.agent) ?? 0) + 1)
  }
  const before = [...logged].map(([agent, count]) => [agent, count - (asked.get(agent) ?? 0)] as const)
  return { logged: new Map(before), agents, keys, isLogIntact: verdict.kind === 'intact' }
}

const askWith = async ({ urls }: Stage, key: string): Promise<Status> =>
  (await sendRaw(urls[0] ?? '', `GET ${METADATA}`, { headers: ['X-API-Key', key] })).status

async function readStore(url: string, known: ReadonlySet<string>) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('select no, id from agents')
    const ids = new Map(rows.map(({ no, id }) => [Number(no), String(id)]))
    const logged = new Map<string, number>()
    for (const { body } of (await client.query('select body from audit_batches')).rows) {
      for (const [, , agentNo] of toBatch(String(body)).i) {
        const id = ids.get(agentNo) ?? ''
        if (known.has(id)) logged.set(id, (logged.get(id) ?? 0) + 1)
      }
    }
    return { logged, agents: new Set(ids.values()) }
  } finally {
    await client.end()
  }
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
