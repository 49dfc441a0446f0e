import type { RequestLog } from '#ports/request-log.ts'
import { toDayCounts } from './admission-rows.ts'
import { batchOfTicket, type Intent, type Outcome, toBatch } from './audit-batch.ts'
import type { Database } from './schema.ts'

/** Batches are unpacked so many at a time. */
const BATCHES_PER_READ = 64
/** No request lasts longer than this: its outcome stands within so much of its beginning. */
const LONGEST_REQUEST_MS = 12_000
const NEWEST = Number.MAX_SAFE_INTEGER

/** Reads what admission has written: the audit log by agent, and the daily counts. */
export function sqlRequestLog(db: Database): RequestLog {
  async function agentNo(agentId: string): Promise<number | undefined> {
    const row = await db.selectFrom('agents').select('no').where('id', '=', agentId).executeTakeFirst()
    return row?.no
  }

  return {
    async requestsOf(agentId, { after, limit }) {
      const no = await agentNo(agentId)
      if (no === undefined) return { requests: [], next: undefined }
      const beforeTicket = after === undefined ? NEWEST : Number(after)
      const outcomes = await readOutcomesAfter(db, no, beforeTicket)
      const found: Intent[] = []
      for await (const batch of batchesOf(db, no, batchOfTicket(beforeTicket), 'desc')) {
        // Outcomes stand in later batches than the requests they belong to, so they are met first.
        for (const outcome of batch.o) outcomes.set(outcome[0], outcome)
        found.push(...batch.i.filter(([ticket, , agent]) => agent === no && ticket < beforeTicket).reverse())
        if (found.length > limit) break
      }
      const page = found.slice(0, limit)
      return {
        requests: page.map((intent) => toRequest(intent, outcomes.get(intent[0]))),
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
  }
}

/** The batches that speak of an agent, from `start` on in the given direction. */
async function* batchesOf(db: Database, no: number, start: number, direction: 'asc' | 'desc') {
  let from = start
  for (;;) {
    const rows = await db
      .selectFrom('audit_agents as a')
      .innerJoin('audit_batches as b', 'b.seq', 'a.seq')
      .select(['b.seq', 'b.body'])
      .where('a.agent_no', '=', no)
      .where('a.seq', direction === 'desc' ? '<=' : '>=', from)
      .orderBy('a.seq', direction)
      .limit(BATCHES_PER_READ)
      .execute()
    for (const { body } of rows) yield toBatch(body)
    const last = rows.at(-1)
    if (!last || rows.length < BATCHES_PER_READ) return
    from = last.seq + (direction === 'desc' ? -1 : 1)
  }
}

/** Requests just before the ticket may have ended after it. */
async function readOutcomesAfter(db: Database, no: number, ticket: number): Promise<Map<number, Outcome>> {
  const outcomes = new Map<number, Outcome>()
  if (ticket === NEWEST) return outcomes
  let firstAt: number | undefined
  for await (const batch of batchesOf(db, no, batchOfTicket(ticket), 'asc')) {
    for (const outcome of batch.o) outcomes.set(outcome[0], outcome)
    const at = batch.i[0]?.[1]
    firstAt ??= at
    if (at !== undefined && firstAt !== undefined && at - firstAt > LONGEST_REQUEST_MS) break
  }
  return outcomes
}

function toRequest([, at, , endpoint, truncatedAddress]: Intent, outcome: Outcome | undefined) {
  return { at, endpoint, truncatedAddress, status: outcome?.[2], latencyMicros: outcome?.[3] }
}
