import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { toBatch } from '#adapters/sql/audit/batch.ts'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { verifyPostgresAudit } from '#adapters/sql/postgres/audit/verify.ts'
import { SECRETS } from '../../scale/support/admin-token.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { seededRandom } from '../../support/sample-network.ts'
import { findViolations } from './check-history.ts'
import { answerOf, type Clients, MAX_WAIT_MS, startClients } from './clients.ts'
import { type FaultSpan, type FaultTimes, faultTimes, findLate } from './fault-times.ts'
import { type Chance, FAULTS } from './faults.ts'
import { type FinalState, isUnsure, type Status } from './history.ts'
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
  const outages = [...(await outagesAfter('the start', stage, clients))]
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
    outages.push(...(await outagesAfter(name, stage, clients)))
    spans.push({ name, startedAt, mendedAt, servedAt: performance.now() })
    await pause(schedule.below(500))
  }
  await clients.stop()
  const { events, limits } = clients
  const final = await finalState(stage, clients)
  const ended = stage.instances.flatMap((instance) => instance.ended() ?? [])
  const times = faultTimes(spans, events)
  const late = isTimed ? findLate(times) : []
  return {
    violations: [...findViolations({ events, final, limits }), ...outages, ...ended, ...late],
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

/**
 * Waits until every instance is ready, and then until each has served a call of the clients that was sent after now.
 * Returns descriptions of the instances that have not within a minute; at once if a process has ended by itself.
 */
async function outagesAfter(
  name: string,
  { urls, instances }: Stage,
  { events }: Clients,
): Promise<readonly string[]> {
  const since = performance.now()
  const isReady = async (url: string) => (await answerOf(sendRaw(url, `GET /readyz`)))?.status === 200
  const isServed = async (url: string) =>
    events.some(
      (event) =>
        event.kind === 'call' && event.url === url && event.startedAt > since && event.status === 200,
    )
  const isOver = () =>
    performance.now() - since > MAX_WAIT_MS || instances.some((instance) => instance.ended() !== undefined)
  const outages: string[] = []
  for (const [what, holds] of [['ready', isReady] as const, ['serving calls', isServed] as const]) {
    for (const url of urls) {
      let isBack = await holds(url)
      for (; !isBack && !isOver(); isBack = await holds(url)) await pause(10)
      if (!isBack) outages.push(`${url} is not ${what} again after: ${name}`)
    }
  }
  return outages
}

/** Calls once more with every key, until the outcome is known or none has been known for a minute. */
async function finalState(stage: Stage, { events, call }: Clients): Promise<FinalState> {
  const keys = new Map<string, Status>()
  let knownAt = performance.now()
  for (const event of [...events]) {
    if ((event.kind !== 'register' && event.kind !== 'rotate') || !event.key) continue
    const agent = { id: event.agent, apiKey: event.key }
    let status: Status = 'cut'
    for (; isUnsure(status) && performance.now() - knownAt < MAX_WAIT_MS; await pause(1))
      status = (await call(stage.urls[0] ?? '', agent)).status
    if (!isUnsure(status)) knownAt = performance.now()
    keys.set(event.key, status)
  }
  const { url } = stage.primary()
  const known = new Set(events.map(({ agent }) => agent))
  const verdict = await verifyPostgresAudit(url, auditSeal(SECRETS.KEY_PEPPER))
  return { ...(await readStore(url, known)), keys, isLogIntact: verdict.kind === 'intact' }
}

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
