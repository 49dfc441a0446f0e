import { dayOf, PROFILE_DAYS } from '../../../../durations.ts'
import { ALL_DAYS } from '../../admission/rows.ts'
import type { AdmittedRequest } from '../batch.ts'
import { Broken, toDate } from './verdict.ts'
import { verifyCharges } from './verify-charges.ts'

/** An agent's requests on a UTC day, as its profile counts them. */
export type DayCount = {
  readonly agentNo: number
  readonly day: number
  readonly requests: number
  /** A lower bound of the requests charged to its quota. */
  readonly charged: number
}

type KeptDays = { readonly first: number; readonly last: number }

/** Each request is counted and logged in one commit: a log whose count differs was cut or replaced. */
export function verifyCounts() {
  const logged = new Map<string, number>()
  const agents = new Set<number>()
  const charges = verifyCharges()
  return {
    /** All agents with logged requests. */
    agents,
    charges,
    add(admitted: readonly AdmittedRequest[], seq: number): void {
      for (const [, at, agentNo] of admitted) {
        if (agentNo === 0) continue
        agents.add(agentNo)
        charges.logged(agentNo, at, seq)
        const key = `${agentNo} ${dayOf(at)}`
        logged.set(key, (logged.get(key) ?? 0) + 1)
      }
    },
    /**
     * Compares only days after that of the first batch and up to that of the last one, by order of writing: batches
     * of other days may have been dropped, or labelled by a wrong clock. `kept` undefined: nothing was ever dropped.
     * `newest`: the newest day of the log. Counts are kept for a profile's days before it; an older day may have lost
     * one of its two rows.
     */
    async compare(
      counts: AsyncIterable<DayCount>,
      { kept, newest }: { readonly kept: KeptDays | undefined; readonly newest: number },
    ): Promise<void> {
      const isKept = (day: number) =>
        day > newest - PROFILE_DAYS && (kept === undefined || (day > kept.first && day <= kept.last))
      const uncounted = new Set(logged.keys())
      for await (const { agentNo, day, requests, charged } of counts) {
        const key = `${agentNo} ${day}`
        uncounted.delete(key)
        if (day === newest) charges.counted(agentNo, charged)
        if (isKept(day)) verifyCount(agentNo, day, { requests, found: logged.get(key) ?? 0 })
      }
      for (const key of uncounted) {
        const [agentNo = 0, day = 0] = key.split(' ').map(Number)
        if (isKept(day)) verifyCount(agentNo, day, { requests: 0, found: logged.get(key) ?? 0 })
      }
    },
  }
}

function verifyCount(
  agentNo: number,
  day: number,
  { requests, found }: { readonly requests: number; readonly found: number },
): void {
  if (found === requests) return
  throw new Broken(
    0,
    `${requests} requests of agent ${agentNo} were counted on ${toDate(day)}, and ${found} are logged`,
  )
}

type Row = Readonly<Record<string, unknown>>

/** All daily counts. The two rows of a day come one after the other and are added up. */
export async function* dayCountsOf(rowsOf: (query: string) => AsyncIterable<Row>): AsyncGenerator<DayCount> {
  let whole: DayCount | undefined
  for await (const row of rowsOf(`select * from (${ALL_DAYS}) as counted order by agent_no, day`)) {
    const part = toDayCount(row)
    if (whole?.agentNo === part.agentNo && whole.day === part.day)
      whole = { ...part, requests: whole.requests + part.requests, charged: whole.charged + part.charged }
    else {
      if (whole) yield whole
      whole = part
    }
  }
  if (whole) yield whole
}

function toDayCount(row: Row): DayCount {
  const [agentNo, day] = [Number(row['agent_no']), Number(row['day'])]
  const tools = toTools(row['tools'])
  if (!tools) throw new Broken(0, `the counts of agent ${agentNo} on ${toDate(day)} cannot be read`)
  const sum = (counts: typeof tools) => counts.reduce((total, [, count]) => total + count, 0)
  return {
    agentNo,
    day,
    requests: sum(tools),
    charged: sum(tools.filter(([tool]) => !MAYBE_FREE.has(tool))),
  }
}

function toTools(text: unknown): readonly (readonly [tool: string, count: number])[] | undefined {
  try {
    const tools = Object.entries<unknown>(JSON.parse(String(text)))
    return tools.every((entry): entry is [string, number] => Number.isInteger(entry[1])) ? tools : undefined
  } catch {
    return undefined
  }
}

/** Counters whose requests may be uncharged: free calls, and a key that revokes itself. */
const MAYBE_FREE: ReadonlySet<string> = new Set(['free', 'revokeSelf'])
