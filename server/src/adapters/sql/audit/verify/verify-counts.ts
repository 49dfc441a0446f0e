import { DAY_MS } from '../../../../durations.ts'
import type { Intent } from '../batch.ts'
import { Broken } from './verdict.ts'

/** The requests of an agent on a UTC day, as they were counted with their charge. */
export type DayCount = { readonly agentNo: number; readonly day: number; readonly requests: number }

/** Every request was counted and logged in one commit: a log that has fewer or more of a day was cut or replaced. */
export function verifyCounts() {
  const logged = new Map<string, number>()
  const agents = new Set<number>()
  return {
    /** The numbers of all agents whose requests are logged. */
    agents,
    add(intents: readonly Intent[]): void {
      for (const [, at, agentNo] of intents) {
        if (agentNo === 0) continue
        agents.add(agentNo)
        const key = `${agentNo} ${Math.floor(at / DAY_MS)}`
        logged.set(key, (logged.get(key) ?? 0) + 1)
      }
    },
    /**
     * Of the days after that of the first batch and up to that of the last one, in the order of writing: of others some
     * batches may have been dropped, also those of a clock that was wrong. Undefined: nothing was ever dropped.
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

/** The counts of a day are kept by endpoint. */
export const sumOfTools = (tools: string): number =>
  Object.values(JSON.parse(tools) as Record<string, number>).reduce((sum, count) => sum + count, 0)
