import type { LogFields } from '#ports/logger.ts'
import type { AgentRecord, Quota } from '#ports/stores/admission.ts'
import type { User } from '#ports/stores/users.ts'
import type { AuditEntry, BuildEntry } from './audit-entry.ts'
import type { Credentials } from './credentials.ts'

/** Who calls, once admitted. Which kind an endpoint sees follows from its route. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'agent'
      readonly agent: AgentRecord
      readonly quota: Quota
      /** Of the key that was sent. */
      readonly keyDigest: () => string
    }
  | { readonly kind: 'user'; readonly user: User; readonly quota: Quota }

/** What a handler knows of a call beside its input. */
export type Call<C extends Caller = Caller> = {
  readonly caller: C
  /** The client's address in the one spelling that limits count by. */
  readonly client: string
  /** The tag of the version that the client has, as `If-None-Match` writes it. */
  readonly ifNoneMatch: string | undefined
  /** The form of the answer that the client asks for, as `Accept` writes it. */
  readonly accept: string | undefined
  /** The version that is to be replaced, as `If-Match` writes it. */
  readonly ifMatch: string | undefined
  /** Names the request, so that a repeat is known: `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined
  /** How the call came in. */
  readonly via: 'rest' | 'mcp'
  /** Aborts when the time is up or the client is gone. */
  readonly signal: () => AbortSignal
  /** Adds fields to the log line of the request. */
  readonly note: (fields: LogFields) => void
  /** The entry of the call in the audit log. */
  readonly audit: BuildEntry
}

export type AgentCaller = Extract<Caller, { kind: 'agent' }>

/** An agent's call, until when it must be answered, and where it is logged. */
export type AgentCall = Pick<Call<AgentCaller>, 'caller' | 'signal' | 'audit'>

/** What a transport knows about a call, and its callbacks. */
export type CallContext = Pick<Call, 'client' | 'ifNoneMatch' | 'accept' | 'signal' | 'note'> & {
  readonly idempotencyKey?: string | undefined
  readonly ifMatch?: string | undefined
  /** Defaults to `rest`. */
  readonly via?: Call['via']
  /** Whether a credential that comes with a call that needs none is checked all the same. */
  readonly checksCredential?: boolean
  /** Called for endpoints that need a credential; throws a Fault for one that cannot be read. */
  readonly credentials: () => Credentials
  /** Called once the quota is known, whether the call was charged or refused as too many. */
  readonly onQuota: (quota: Quota) => void
  /**
   * The transport's own entry, which it completes when the answer has left. Without one the call is recorded when its
   * handler has ended.
   */
  readonly audit: AuditEntry | undefined
  /** What the audit log calls the call, such as `mcp:allocate`; undefined: the endpoint. */
  readonly label: string | undefined
}
