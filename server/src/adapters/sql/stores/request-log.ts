import type { AgentUse, RequestLog } from '#ports/stores/request-log.ts'
import { toActivity, toDayCounts } from '../admission/rows.ts'
import { type AdmittedRequest, batchOfTicket, type Outcome, toBatch, toBuildNote } from '../audit/batch.ts'
import type { Database } from '../schema.ts'

/** Batches read per query. */
const BATCHES_PER_READ = 64
/** Upper bound of a request's duration in any configuration: its outcome is logged within this time. */
const LONGEST_REQUEST_MS = 75_000
const NEWEST = Number.MAX_SAFE_INTEGER

/** Batches of an agent, by the store's index. */
export type AgentBatches = {
  /** Brings the index up to date. */
  prepare(): Promise<void>
  /** Batches from `from` on in the given direction. */
  read(what: {
    readonly agentNo: number
    readonly from: number
    readonly direction: 'asc' | 'desc'
    readonly limit: number
  }): Promise<readonly { readonly seq: number; readonly body: string }[]>
}

/** Reads the audit log by agent, and the daily counts. */
export function sqlRequestLog(db: Database, batches: AgentBatches): RequestLog {
  async function agentNo(agentId: string): Promise<number | undefined> {
    const row = await db.selectFrom('agents').select('no').where('id', '=', agentId).executeTakeFirst()
    return row?.no
  }

  return {
    async requestsOf(agentId, { after, limit }) {
      const no = await agentNo(agentId)
      if (no === undefined) return { requests: [], next: undefined }
      await batches.prepare()
      const beforeTicket = after === undefined ? NEWEST : Number(after)
      const outcomes = new Map<number, Outcome>()
      const found: AdmittedRequest[] = []
      for await (const batch of batchesOf(batches, no, batchOfTicket(beforeTicket), 'desc')) {
        // Outcomes are in later batches than their requests, so they are read first.
        collectOutcomes(outcomes, batch.o, no)
        found.push(...batch.i.filter(([ticket, , agent]) => agent === no && ticket < beforeTicket).reverse())
        if (found.length > limit) break
      }
      const page = found.slice(0, limit)
      if (after !== undefined) await findLateOutcomes(batches, no, page, outcomes)
      return {
        requests: page.map((request) => toRequest(request, outcomes.get(request[0]))),
        next: found.length > limit ? String(page.at(-1)?.[0]) : undefined,
      }
    },
    async daysOf(agentId, fromDay) {
      const no = await agentNo(agentId)
      if (no === undefined) return []
      const rows = await db
        .selectFrom('agent_days')
        .select(['tools', 'built', 'built_aware'])
        .where('agent_no', '=', no)
        .where('day', '>=', fromDay)
        .execute()
      return rows.flatMap((row) => toDayCounts(row) ?? [])
    },
    usesOf: (agentIds, fromDay) => usesOf(db, agentIds, fromDay),
  }
}

async function usesOf(
  db: Database,
  agentIds: readonly string[],
  fromDay: number,
): Promise<ReadonlyMap<string, AgentUse>> {
  if (agentIds.length === 0) return new Map()
  const active = await db
    .selectFrom('agent_activity')
    .innerJoin('agents', 'agents.no', 'agent_activity.agent_no')
    .selectAll('agent_activity')
    .select('agents.id')
    .where('agents.id', 'in', agentIds)
    .execute()
  const numbers = active.map(({ agent_no }) => agent_no)
  const counted = numbers.length === 0 ? [] : await daysOfEach(db, numbers, fromDay)
  const byAgent = Map.groupBy(counted, ({ agent_no }) => agent_no)
  return new Map(
    active.map((row) => {
      const days = (byAgent.get(row.agent_no) ?? []).flatMap((day) => {
        const counts = toDayCounts(day)
        return counts ? [[day.day, counts] as const] : []
      })
      return [row.id, { activity: toActivity(row), days: new Map(days) }]
    }),
  )
}

const daysOfEach = (db: Database, agentNumbers: readonly number[], fromDay: number) =>
  db
    .selectFrom('agent_days')
    .select(['agent_no', 'day', 'tools', 'built', 'built_aware'])
    .where('agent_no', 'in', agentNumbers)
    .where('day', '>=', fromDay)
    .execute()

/** Batches of an agent from `start` on, in the given direction. */
async function* batchesOf(batches: AgentBatches, agentNo: number, start: number, direction: 'asc' | 'desc') {
  let from = start
  for (;;) {
    const rows = await batches.read({ agentNo, from, direction, limit: BATCHES_PER_READ })
    for (const { body } of rows) yield toBatch(body)
    const last = rows.at(-1)
    if (!last || rows.length < BATCHES_PER_READ) return
    from = last.seq + (direction === 'desc' ? -1 : 1)
  }
}

function collectOutcomes(into: Map<number, Outcome>, outcomes: readonly Outcome[], no: number): void {
  for (const outcome of outcomes) if (outcome[1] === no) into.set(outcome[0], outcome)
}

/** Requests of this page may have ended after the previous page began: newer batches have the outcomes. */
async function findLateOutcomes(
  batches: AgentBatches,
  no: number,
  page: readonly AdmittedRequest[],
  outcomes: Map<number, Outcome>,
): Promise<void> {
  const open = page.filter(([ticket]) => !outcomes.has(ticket))
  const [newest] = open
  if (!newest) return
  const givenUpAt = newest[1] + LONGEST_REQUEST_MS
  for await (const batch of batchesOf(batches, no, batchOfTicket(newest[0]), 'asc')) {
    collectOutcomes(outcomes, batch.o, no)
    const isTooLate = batch.i.some(([, at]) => at > givenUpAt)
    if (isTooLate || open.every(([ticket]) => outcomes.has(ticket))) return
  }
}

function toRequest(
  [ticket, at, , endpoint, truncatedAddress, keyId]: AdmittedRequest,
  outcome: Outcome | undefined,
) {
  const [, , status, latencyMicros, build] = outcome ?? []
  return {
    ticket,
    at,
    endpoint,
    truncatedAddress,
    keyId,
    status,
    latencyMicros,
    build: build && toBuildNote(build),
  }
}
