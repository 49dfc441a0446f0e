import { DAY_MS } from '../../../../durations.ts'
import type { AdmittedRequest } from '../batch.ts'
import { Broken } from './verdict.ts'

/** An agent's requests on a UTC day, as counted for its quota. */
export type DayCount = { readonly agentNo: number; readonly day: number; readonly requests: number }

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
        const key = `${agentNo} ${Math.floor(at / DAY_MS)}`
        logged.set(key, (logged.get(key) ?? 0) + 1)
      }
    },
    /**
     * Compares only days after the first batch's and up to the last batch's, in order of writing: batches of
     * other days may have been dropped, or be labelled by a wrong clock. Undefined: nothing was ever dropped.
     */
    async compare(
      counts: AsyncIterable<DayCount>,
      days: { readonly first: number; readonly last: number } | undefined,
    ): Promise<void> {
      for await (const { agentNo, day, requests } of counts) {
        const found = logged.get(`${agentNo} ${day}`) ?? 0
        const isKept = days === undefined || (day > days.first && day <= days.last)
        if (!isKept || found === requests) continue
        const date = new Date(day * DAY_MS).toISOString().slice(0, 10)
        throw new Broken(
          0,
          `${requests} requests of agent ${agentNo} were counted on ${date}, and ${found} are logged`,
        )
      }
    },
  }
}

/** Sums the counts per endpoint. */
export const sumOfTools = (tools: string): number =>
  Object.values(JSON.parse(tools) as Record<string, number>).reduce((sum, count) => sum + count, 0)
