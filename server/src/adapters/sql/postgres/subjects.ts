import type { Activity, AgentRecord, DayCounts } from '#ports/stores/admission.ts'

/** What is counted for an agent, as the store has it and then as the batch leaves it. */
export type AgentCounts = {
  readonly agentNo: number
  /** The number of the batch that has written it; days are only ever written together with it. */
  version: string
  activity: Activity | undefined
  readonly days: Map<number, DayCounts>
  /** The days that the batch has added to. */
  readonly changed: Set<number>
}

export type UserCounts = { readonly userId: string; activity: Activity | undefined; isChanged: boolean }

/** What a batch reads and locks. */
export type SubjectKeys = {
  readonly digests: readonly string[]
  readonly userIds: readonly string[]
  readonly days: readonly number[]
}

/** A key as the store has it, with its agent, if there is one. */
export type FoundAgent = {
  readonly digest: string
  readonly agent: AgentRecord | undefined
  /** The versions of the key and of its agent. */
  readonly version: string
  readonly counts: AgentCounts
}

/** What a batch begins with. */
export type Found = {
  readonly seq: number
  readonly now: number
  readonly agents: readonly FoundAgent[]
  readonly users: ReadonlyMap<string, UserCounts>
}
