import type { AgentRecord, Quota } from '#ports/stores/admission.ts'
import type { User } from '#ports/stores/users.ts'
import type { AuditEntry, BuildEntry } from './audit-entry.ts'
import type { Credentials } from './credentials.ts'

/** The admitted caller. Its kind follows from the credential that the route asks for. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'agent'
      readonly agent: AgentRecord
      readonly quota: Quota
      /** The digest of the key that was sent. */
      readonly keyDigest: () => string
    }
  | { readonly kind: 'user'; readonly user: User; readonly quota: Quota }

/** Ids for the log line of a request. They may be texts of the caller. */
export type NotedIds = { readonly agentId?: string; readonly keyId?: string }

/** The context of a call that a handler gets beside its input. */
export type Call<C extends Caller = Caller> = {
  readonly caller: C
  /** The client's address in canonical form, by which limits count. */
  readonly client: string
  /** The value of `If-None-Match`: ETags of the versions that the client has. */
  readonly ifNoneMatch: string | undefined
  /** The value of `Accept`. */
  readonly accept: string | undefined
  /** The value of `If-Match`: the version to replace. */
  readonly ifMatch: string | undefined
  /** The value of `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined
  /** The transport. */
  readonly via: 'rest' | 'mcp'
  /** Aborts at the deadline or when the client disconnects. */
  readonly signal: () => AbortSignal
  /** Adds ids to the log line of the request. Texts that do not have the form of an id are left out. */
  readonly note: (ids: NotedIds) => void
  /** The entry of the call in the audit log. */
  readonly audit: BuildEntry
}

export type AgentCaller = Extract<Caller, { kind: 'agent' }>

/** An agent's call with its deadline and its entry in the audit log. */
export type AgentCall = Pick<Call<AgentCaller>, 'caller' | 'signal' | 'audit'>

/** The context of a call as the transport gives it, with its callbacks. */
export type CallContext = Pick<Call, 'client' | 'ifNoneMatch' | 'accept' | 'signal' | 'note'> & {
  readonly idempotencyKey?: string | undefined
  readonly ifMatch?: string | undefined
  /** Defaults to `rest`. */
  readonly via?: Call['via']
  /** Whether to check a credential although the endpoint needs none. */
  readonly checksCredential?: boolean
  /** Called for endpoints that need a credential; throws a Fault if the credential cannot be read. */
  readonly credentials: () => Credentials
  /** Called once the quota is known: for charged calls and for those refused by the rate limit. */
  readonly onQuota: (quota: Quota) => void
  /**
   * The transport's own entry, which it completes after the answer was sent. Undefined: the call is recorded when its
   * handler has ended.
   */
  readonly audit: AuditEntry | undefined
  /** Name of the call in the audit log, such as `mcp:allocate`; undefined: the endpoint. */
  readonly label: string | undefined
}
