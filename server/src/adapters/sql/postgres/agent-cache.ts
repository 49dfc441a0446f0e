import type { Activity, AgentRecord, DayCounts } from '#ports/stores/admission.ts'
import { type AgentCounters, countsOf, dayLeft } from '../admission/agent-counters.ts'
import { openKeyUses } from '../admission/key-uses.ts'
import type { AgentCounts, FoundAgent } from './subjects.ts'

/** A cached key and its agent. */
type CachedKey = {
  readonly agent: AgentRecord
  /** Row versions of key and agent; `UNKNOWN`: read again. */
  version: string
}

/** Most keys in the cache. */
const MAX_CACHED = 10_000
const UNKNOWN = ''

/**
 * A cache of agents over batches. Every row has a version that changes with each write. Each batch sends the
 * versions it has cached, inside its transaction and under its locks, and receives the rows that differ: no
 * decision is based on outdated rows, even if another program has changed them.
 */
export function openAgentCache() {
  const keys = new Map<string, CachedKey>()
  const agents = new Map<number, AgentCounts>()
  let changed = new Set<AgentCounts>()
  const keyUses = openKeyUses()

  function countersOf(agentNo: number): AgentCounters | undefined {
    const counters = agents.get(agentNo)?.counters
    if (counters instanceof Error) throw counters
    return counters
  }

  function forget(): void {
    keys.clear()
    agents.clear()
    changed = new Set()
    keyUses.forget()
  }

  return {
    /** Cached versions of these keys, for the store to compare. */
    versionsOf: (digests: readonly string[]): readonly string[] =>
      digests.map((digest) => {
        const key = keys.get(digest)
        if (key === undefined || key.version === UNKNOWN) return UNKNOWN
        return `${key.version} ${agents.get(key.agent.no)?.version}`
      }),
    learn(found: readonly FoundAgent[]): void {
      for (const { digest, agent, version, counts } of found) {
        if (agent === undefined) keys.delete(digest)
        else {
          keys.set(digest, { agent, version })
          agents.set(agent.no, counts)
        }
      }
    },
    agentOf: (digest: string): AgentRecord | undefined => keys.get(digest)?.agent,
    agentActivity: (agentNo: number): Activity | undefined => countersOf(agentNo)?.activity,
    dayCounts: (agentNo: number, day: number): DayCounts | undefined => countsOf(countersOf(agentNo), day),
    chargeAgent(agentNo: number, activity: Activity, day: number, counts: DayCounts): void {
      const agent = agents.get(agentNo)
      if (!agent) return
      const left = dayLeft(countersOf(agentNo), day)
      if (left) agent.past = [...agent.past, left]
      agent.counters = { activity, latest: { day, counts } }
      changed.add(agent)
    },
    evict(digest: string): void {
      const key = keys.get(digest)
      if (key) key.version = UNKNOWN
    },
    noteKeyUse: keyUses.note,
    changed: (): Iterable<AgentCounts> => changed,
    keyUses: keyUses.changed,
    /** Call it after the commit of batch `seq`: its changes are stored. */
    committed(seq: number): void {
      for (const counts of changed) {
        counts.version = String(seq)
        counts.past = []
      }
      changed = new Set()
      keyUses.committed()
      if (keys.size > MAX_CACHED) forget()
    },
    forget,
  }
}

export type AgentCache = ReturnType<typeof openAgentCache>
