import type { Activity, AgentRecord, DayCounts } from '#ports/admission.ts'
import type { AgentCounts, FoundAgent } from './subjects.ts'

/** An agent as one of its keys shows it. */
type KnownKey = {
  readonly agent: AgentRecord
  /** The transactions that have written the key and its agent. */
  writtenBy: string
}

/** Of keys so many are kept in memory at most. */
const MOST_KNOWN = 10_000
const UNKNOWN = ''

/**
 * The agents of earlier batches, so that the store need not tell again what has not changed. Postgres marks each row
 * with the transaction that wrote it. Every batch says which marks it knows, inside its transaction and under its
 * locks, and hears of all rows that have others: whoever wrote and whatever it was, nothing outdated decides.
 */
export function openKnownAgents() {
  const keys = new Map<string, KnownKey>()
  const agents = new Map<number, AgentCounts>()
  const changed = new Set<AgentCounts>()
  let ofDays = ''

  function forget(): void {
    keys.clear()
    agents.clear()
    changed.clear()
  }

  return {
    /** What is known of these keys, for the store to compare. */
    versionsOf(digests: readonly string[], days: readonly number[]): readonly string[] {
      // Other days were never asked for.
      if (ofDays !== days.join()) forget()
      ofDays = days.join()
      return digests.map((digest) => {
        const key = keys.get(digest)
        if (key === undefined || key.writtenBy === UNKNOWN) return UNKNOWN
        return `${key.writtenBy} ${agents.get(key.agent.no)?.writtenBy}`
      })
    },
    learn(found: readonly FoundAgent[]): void {
      for (const { digest, agent, writtenBy, counts } of found) {
        if (agent === undefined) keys.delete(digest)
        else {
          keys.set(digest, { agent, writtenBy })
          agents.set(agent.no, counts)
        }
      }
    },
    agentOf: (digest: string): AgentRecord | undefined => keys.get(digest)?.agent,
    agentActivity: (agentNo: number): Activity | undefined => agents.get(agentNo)?.activity,
    dayCounts: (agentNo: number, day: number): DayCounts | undefined => agents.get(agentNo)?.days.get(day),
    chargeAgent(agentNo: number, activity: Activity, day: number, dayCounts: DayCounts): void {
      const counts = agents.get(agentNo)
      if (!counts) return
      counts.activity = activity
      counts.days.set(day, dayCounts)
      counts.changed.add(day)
      changed.add(counts)
    },
    distrust(digest: string): void {
      const key = keys.get(digest)
      if (key) key.writtenBy = UNKNOWN
    },
    changed: (): Iterable<AgentCounts> => changed,
    /** The batch holds: what it has changed is what this transaction has stored. */
    committed(transaction: string): void {
      for (const counts of changed) {
        counts.writtenBy = transaction
        counts.changed.clear()
      }
      changed.clear()
      if (keys.size > MOST_KNOWN) forget()
    },
    forget,
  }
}

export type KnownAgents = ReturnType<typeof openKnownAgents>
