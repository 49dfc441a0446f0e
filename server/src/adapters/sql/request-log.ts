import type { RequestLog } from '#ports/request-log.ts'
import { toDayCounts } from './admission-rows.ts'
import { type Intent, type Outcome, toBatch } from './audit-batch.ts'
import type { Database } from './schema.ts'

/** Batches are unpacked so many at a time until a page is full. */
const BATCHES_PER_READ = 64

/** Reads what admission has written: the audit log by agent, and the daily counts. */
export function sqlRequestLog(db: Database): RequestLog {
  async function agentNo(agentId: string): Promise<number | undefined> {
    const row = await db.selectFrom('agents').select('no').where('id', '=', agentId).executeTakeFirst()
    return row?.no
  }

  const batchesOf = (no: number, before: number) =>
    db
      .selectFrom('audit_agents as a')
      .innerJoin('audit_batches as b', 'b.seq', 'a.seq')
      .select(['b.seq', 'b.body'])
      .where('a.agent_no', '=', no)
      .where('a.seq', '<', before)
      .orderBy('a.seq', 'desc')
      .limit(BATCHES_PER_READ)
      .execute()

  return {
    async requestsOf(agentId, { after, limit }) {
      const no = await agentNo(agentId)
      if (no === undefined) return { requests: [], next: undefined }
      const wanted = limit + 1
      const beforeTicket = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after)
      const found: Intent[] = []
      const outcomes = new Map<number, Outcome>()
      // Outcomes stand in later batches than the requests they belong to, so reading starts at the newest ones.
      for (let before = Number.MAX_SAFE_INTEGER; found.length < wanted; ) {
        const rows = await batchesOf(no, before)
        for (const { seq, body } of rows) {
          const batch = toBatch(body)
          for (const outcome of batch.o) if (outcome[1] === no) outcomes.set(outcome[0], outcome)
          found.push(
            ...batch.i.filter(([ticket, , agent]) => agent === no && ticket < beforeTicket).reverse(),
          )
          before = Number(seq)
        }
        if (rows.length < BATCHES_PER_READ) break
      }
      const page = found.slice(0, limit)
      return {
        requests: page.map(([ticket, at, , endpoint, truncatedAddress]) => {
          const [, , status, latencyMicros] = outcomes.get(ticket) ?? []
          return { at, endpoint, status, latencyMicros, truncatedAddress }
        }),
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
