import { dayOf, PROFILE_DAYS } from '../../../../durations.ts'
import type { AdmittedRequest } from '../batch.ts'
import { Broken, toDate } from './verdict.ts'

/** An agent's requests on a UTC day, as counted for its quota. */
export type DayCount = { readonly agentNo: number; readonly day: number; readonly requests: number }

type KeptDays = { readonly first: number; readonly last: number }

/** Each request is counted and logged in one commit: a log whose count differs was cut or replaced. */
export function verifyCounts() {
  const logged = new Map<string, number>()
  const agents = new Set<number>()
  return {
    /** All agents with logged requests. */
    agents,
    add(admitted: readonly AdmittedRequest[]): void {
      for (const [, at, agentNo] of admitted) {
        if (agentNo === 0) continue
        agents.add(agentNo)
        const key = `${agentNo} ${dayOf(at)}`
        logged.set(key, (logged.get(key) ?? 0) + 1)
      }
    },
    /**
     * Compares only days after the first batch's and up to the last batch's, in order of writing: batches of
     * other days may have been dropped, or be labelled by a wrong clock. Without them nothing was ever dropped.
     * `newest`: the newest day of all, from which on backwards the counts of a profile are kept.
     */
    async compare(
      counts: AsyncIterable<DayCount>,
      { kept, newest }: { readonly kept: KeptDays | undefined; readonly newest: number },
    ): Promise<void> {
      const isKept = (day: number) => kept === undefined || (day > kept.first && day <= kept.last)
      const uncounted = new Set(logged.keys())
      for await (const { agentNo, day, requests } of counts) {
        const key = `${agentNo} ${day}`
        uncounted.delete(key)
        if (isKept(day)) verifyCount(agentNo, day, { requests, found: logged.get(key) ?? 0 })
      }
      for (const key of uncounted) {
        const [agentNo = 0, day = 0] = key.split(' ').map(Number)
        if (isKept(day) && day > newest - PROFILE_DAYS)
          verifyCount(agentNo, day, { requests: 0, found: logged.get(key) ?? 0 })
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

/** Sums the counts per endpoint. */
export const sumOfTools = (tools: string): number =>
  Object.values(JSON.parse(tools) as Record<string, number>).reduce((sum, count) => sum + count, 0)
