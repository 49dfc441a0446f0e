import { sql } from 'kysely'
import type { DayCounts } from '#ports/stores/admission.ts'
import type { AgentUse, RequestLog } from '#ports/stores/request-log.ts'
import { Fault } from '../../../fault.ts'
import { ALL_DAYS, type DayRow, toActivity, toDayCounts } from '../admission/rows.ts'
import {
  type AdmittedRequest,
  batchOfTicket,
  type Outcome,
  toBatch,
  toBuildNote,
  UnreadableBatch,
} from '../audit/batch.ts'
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
  /** Numbers of batches that were damaged before they were indexed: they may contain requests of any agent. */
  unreadable(): Promise<readonly number[]>
  /** Batches from `from` on in the given direction. */
  read(range: {
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
      try {
        return await readPage(batches, no, after, limit)
      } catch (error) {
        throw error instanceof UnreadableBatch ? damaged(error) : error
      }
    },
    async daysOf(agentId, fromDay) {
      const no = await agentNo(agentId)
      if (no === undefined) return []
      return [...(await daysOfEach(db, [no], fromDay)).values()].flatMap((days) => [...days.values()])
    },
    usesOf: (agentIds, fromDay) => usesOf(db, agentIds, fromDay),
  }
}

async function readPage(batches: AgentBatches, no: number, after: string | undefined, limit: number) {
  await batches.prepare()
  const readable = refuseUnreadable(batches, await batches.unreadable())
  const beforeTicket = after === undefined ? NEWEST : Number(after)
  const { found, outcomes, isCut } = await readBack(readable, no, beforeTicket, limit)
  const page = found.slice(0, limit)
  if (after !== undefined) await findLateOutcomes(readable, no, page, outcomes)
  return {
    requests: page.map((request) => toRequest(request, outcomes.get(request[0]))),
    next: isCut || found.length > limit ? String(page.at(-1)?.[0]) : undefined,
  }
}

/** No retry helps before the operator has restored the batch. */
function damaged(cause: UnreadableBatch): Fault {
  const fix = 'Tell the operator of the service: `audit verify` names the damaged part.'
  return new Fault(
    'internal_error',
    `A part of the audit log was damaged in the data store, so the requests before it cannot be shown. ${fix}`,
    { cause, fix },
  )
}

/** Reads an agent's requests before a ticket, newest first, until there are more than `limit`. */
async function readBack(readable: Readable, no: number, beforeTicket: number, limit: number) {
  const outcomes = new Map<number, Outcome>()
  const found: AdmittedRequest[] = []
  try {
    for await (const batch of batchesOf(readable, no, batchOfTicket(beforeTicket), 'desc')) {
      // Outcomes are in later batches than their requests, so they are read first.
      collectOutcomes(outcomes, batch.o, no)
      found.push(...batch.i.filter(([ticket, , agent]) => agent === no && ticket < beforeTicket).reverse())
      if (found.length > limit) break
    }
  } catch (error) {
    // The page ends before an unreadable batch; the next one fails.
    if (!(error instanceof UnreadableBatch) || found.length === 0) throw error
    return { found, outcomes, isCut: true }
  }
  return { found, outcomes, isCut: false }
}

async function usesOf(
  db: Database,
  agentIds: readonly string[],
  fromDay: number,
): Promise<ReadonlyMap<string, AgentUse>> {
  if (agentIds.length === 0) return new Map()
  const active = await db
    .selectFrom('agent_counters')
    .innerJoin('agents', 'agents.no', 'agent_counters.agent_no')
    .selectAll('agent_counters')
    .select('agents.id')
    .where('agents.id', 'in', agentIds)
    .execute()
  const numbers = active.map(({ agent_no }) => agent_no)
  const days = await daysOfEach(db, numbers, fromDay)
  return new Map(
    active.map((row) => [
      row.id,
      { activity: toActivity(row), days: days.get(row.agent_no) ?? new Map<number, DayCounts>() },
    ]),
  )
}

type CountedRow = DayRow & { readonly agent_no: number; readonly day: number }

/** The daily counts of each agent by day, with the parts of a day added up. */
async function daysOfEach(
  db: Database,
  agentNumbers: readonly number[],
  fromDay: number,
): Promise<ReadonlyMap<number, ReadonlyMap<number, DayCounts>>> {
  const each = new Map(agentNumbers.map((no) => [no, new Map<number, DayCounts>()]))
  if (agentNumbers.length === 0) return each
  const { rows } = await sql<CountedRow>`select * from (${sql.raw(ALL_DAYS)}) as counted
    where agent_no in (${sql.join(agentNumbers)}) and day >= ${fromDay}`.execute(db)
  for (const row of rows) {
    const days = each.get(row.agent_no)
    const earlier = days?.get(row.day)
    days?.set(row.day, earlier ? sumOf(earlier, toDayCounts(row)) : toDayCounts(row))
  }
  return each
}

function sumOf(one: DayCounts, other: DayCounts): DayCounts {
  const tools = { ...one.tools }
  for (const [tool, count] of Object.entries(other.tools)) tools[tool] = (tools[tool] ?? 0) + count
  return { tools, built: one.built + other.built, builtAware: one.builtAware + other.builtAware }
}

type Readable = ReturnType<typeof refuseUnreadable>

/** Refuses a range that has an unreadable batch: leaving the batch out would be a wrong answer. */
const refuseUnreadable = ({ read }: AgentBatches, unreadable: readonly number[]) => ({
  read,
  refuseBetween(one: number, other: number): void {
    const [from, to] = one < other ? [one, other] : [other, one]
    if (unreadable.some((seq) => from <= seq && seq <= to)) throw new UnreadableBatch()
  },
})

/** Batches of an agent from `start` on, in the given direction. */
async function* batchesOf(
  { read, refuseBetween }: Readable,
  agentNo: number,
  start: number,
  direction: 'asc' | 'desc',
) {
  let from = start
  for (;;) {
    const rows = await read({ agentNo, from, direction, limit: BATCHES_PER_READ })
    for (const { seq, body } of rows) {
      refuseBetween(from, seq)
      yield toBatch(body)
      from = seq + (direction === 'desc' ? -1 : 1)
    }
    if (rows.length === BATCHES_PER_READ) continue
    refuseBetween(from, direction === 'desc' ? 0 : NEWEST)
    return
  }
}

function collectOutcomes(into: Map<number, Outcome>, outcomes: readonly Outcome[], no: number): void {
  for (const outcome of outcomes) if (outcome[1] === no) into.set(outcome[0], outcome)
}

/** Requests of this page may have ended after the previous page began: newer batches have the outcomes. */
async function findLateOutcomes(
  batches: Readable,
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
