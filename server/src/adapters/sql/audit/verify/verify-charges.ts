import { CLOCK_STEP_MS, dayOf } from '../../../../durations.ts'
import { Broken, toDate } from './verdict.ts'

/** The requests charged to an agent's quota in its latest day window. */
export type DayCharge = { readonly agentNo: number; readonly dayStart: number; readonly dayUsed: number }

export const toDayCharge = (row: Readonly<Record<string, unknown>>): DayCharge => ({
  agentNo: Number(row['agent_no']),
  dayStart: Number(row['day_start']),
  dayUsed: Number(row['day_used']),
})

/**
 * Compares the quotas of the newest day with the requests counted on it: a lowered counter gives an agent more
 * than its limit. Counters of earlier days limit nothing any more. A counter may be higher than the count,
 * because a new agent inherits what its owner has used.
 */
export function verifyCharges() {
  const latest = new Map<number, { readonly seq: number; readonly at: number; readonly newestAt: number }>()
  /** Agents whose window may have restarted, because the clock was set back by more than a step or over midnight. */
  const reopened = new Set<number>()
  const charged = new Map<number, number>()
  return {
    /** Adds a logged request. Days come in calendar order, the requests of a day in order of `seq`. */
    logged(agentNo: number, at: number, seq: number): void {
      const last = latest.get(agentNo) ?? { seq, at, newestAt: at }
      const wasPutBack = seq < last.seq || at < last.newestAt - CLOCK_STEP_MS
      if (wasPutBack) reopened.add(agentNo)
      const newestAt = Math.max(last.newestAt, at)
      latest.set(agentNo, seq < last.seq ? { ...last, newestAt } : { seq, at, newestAt })
    },
    /** Sets how many requests of the newest day were charged. */
    counted: (agentNo: number, requests: number) => void charged.set(agentNo, requests),
    async compare(charges: AsyncIterable<DayCharge>, newestDay: number): Promise<void> {
      for await (const { agentNo, dayStart, dayUsed } of charges) {
        const last = latest.get(agentNo)
        if (last === undefined || reopened.has(agentNo)) continue
        if (dayStart > last.newestAt + CLOCK_STEP_MS)
          throw new Broken(0, `the quota of agent ${agentNo} counts a day on which it made no request`)
        const used = dayOf(dayStart) < newestDay ? 0 : dayUsed
        const requests = charged.get(agentNo) ?? 0
        if (dayOf(dayStart) <= newestDay && used < requests)
          throw new Broken(
            0,
            `agent ${agentNo} made ${requests} requests on ${toDate(newestDay)}, and its quota was charged with ${used}`,
          )
      }
    },
  }
}
