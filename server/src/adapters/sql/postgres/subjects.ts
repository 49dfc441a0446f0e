import type { Activity, AgentRecord } from '#ports/stores/admission.ts'
import type { AgentCounters, CountedDay } from '../admission/agent-counters.ts'

/** An agent's counters, first as stored, then as the batch changes them. */
export type AgentCounts = {
  readonly agentNo: number
  /** The number of the batch that wrote them. */
  version: string
  /** Undefined: none yet. An error: they are damaged, which fails the agent's own requests only. */
  counters: AgentCounters | Error | undefined
  /** Days that have left the row in this batch. */
  past: readonly CountedDay[]
}

export type UserCounts = { readonly userId: string; activity: Activity | undefined; isChanged: boolean }

/** Keys of the rows that a batch locks and reads. */
export type SubjectKeys = {
  readonly digests: readonly string[]
  readonly userIds: readonly string[]
}

/** A stored key with its agent, if it exists. */
export type FoundAgent = {
  readonly digest: string
  readonly agent: AgentRecord | undefined
  /** Row versions of the key and its agent. */
  readonly version: string
  readonly counts: AgentCounts
}

/** Everything that a batch reads before it decides. */
export type Found = {
  readonly seq: number
  readonly now: number
  readonly agents: readonly FoundAgent[]
  readonly users: ReadonlyMap<string, UserCounts>
}
