import type { AgentRecord, Quota } from '#ports/stores/admission.ts'
import type { User } from '#ports/stores/users.ts'
import type { Version } from './answer.ts'
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
  /** Whether the client says that it has this version of the answer. */
  readonly hasVersion: (version: Version) => boolean
  /** Which of these media types the client prefers; undefined: it names none of them. */
  readonly prefers: <Type extends string>(types: readonly Type[]) => Type | undefined
  /** The version that the client means to replace. */
  readonly replaces: string | undefined
  /** Repeats of a call with the same key get the same answer. */
  readonly idempotencyKey: string | undefined
  /** The transport, for the audit log. */
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

/** The context of a call as the transport gives it, with its callbacks. What it leaves out, its clients cannot say. */
export type CallContext = Pick<Call, 'client' | 'signal' | 'note'> &
  Partial<Pick<Call, 'hasVersion' | 'prefers' | 'replaces' | 'idempotencyKey'>> & {
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
