import type { Admission } from '#ports/stores/admission.ts'
import type { AgentKeys } from '#ports/stores/agent-keys.ts'
import type { Agents } from '#ports/stores/agents.ts'
import type { RequestLog } from '#ports/stores/request-log.ts'

type Opened = AsyncDisposable & {
  readonly admission: Admission
  readonly agents: Agents
  readonly agentKeys: AgentKeys
  readonly requestLog: RequestLog
}

/** Each `open` opens the same data, which is empty at first. */
export type OpenData = () => Promise<AsyncDisposable & { open(): Promise<Opened> }>

export const NOON = Date.UTC(2026, 0, 31, 12)
export const EVERYBODY = { kind: 'everybody' } as const
