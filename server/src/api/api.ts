import { ENDPOINTS, type EndpointName, type EndpointSpec, effectOf, ROUTES } from '@stakewright/contract'
import type { Quota } from '#ports/stores/admission.ts'
import type { Fault } from '../fault.ts'
import type { Answer } from './answer.ts'
import { type AuditEntry, type BuildEntry, newAuditEntry, noteRefusedBuild } from './audit-entry.ts'
import { type AuthorizeNeeds, authorizeCalls } from './authorize.ts'
import type { Call, CallContext, Caller } from './call.ts'
import { credentialOf } from './credentials.ts'
import type { Endpoints, KeyIssuingEndpoint, Required, Served } from './endpoint.ts'
import { statusOf, toFault } from './error-body.ts'
import { withExample } from './example-call.ts'
import { checkInput, type RawInput } from './input/check-input.ts'
import { type FieldChoice, selectFields } from './lists/arrange-list.ts'
import { adviseOnUnknownOutcome } from './once/advise-on-unknown-outcome.ts'
import { refuseUnusedKey } from './once/refuse-unused-key.ts'

/** Every endpoint of the service, without a transport. */
export type Api = {
  /** The endpoints that are served, in the order of the contract. */
  readonly names: readonly EndpointName[]
  /**
   * Authorizes the caller, refuses by tier, checks the input and runs the handler, in this order. Rejects with the
   * Fault that the caller must see.
   */
  call(name: EndpointName, input: RawInput, context: CallContext): Promise<Answer>
  /** Rejects with a Fault if the context has an invalid credential. For messages that call no endpoint. */
  checkCredential(context: CallContext): Promise<void>
}

/** `asRequest` runs the work of a request in an async context from which the stores read the request's age. */
type ApiNeeds = AuthorizeNeeds & { readonly asRequest: <T>(work: () => T) => T }

/** Connects each served row of the contract to its handler, with authorization and input check before it. */
export function openApi(endpoints: Endpoints, needs: ApiNeeds): Api {
  const names = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => endpoints[name] !== undefined)
  // On the sandbox a key needs no verification, so a single call issues one.
  const keyEndpoint: KeyIssuingEndpoint = names.includes('sandboxKey') ? 'sandboxKey' : 'selfRegister'
  const authorize = authorizeCalls({ ...needs, keyEndpoint })
  const table = new Map(names.map((name) => [name, toRunnable(name, endpoints[name], keyEndpoint)]))

  const start = (name: EndpointName, input: RawInput, context: CallContext, audit: AuditEntry) => {
    const endpoint = table.get(name)
    if (endpoint === undefined) throw new Error(`the endpoint ${name} is not served`)
    const { requires, sharesDeadline, isBuild, run } = endpoint
    const answer = () =>
      authorize({ endpoint: name, requires, input, context, audit }, (caller) =>
        run(caller, input, context, audit),
      )
    const answering = sharesDeadline ? needs.asRequest(answer) : answer()
    if (!isBuild) return answering
    return answering.catch((error: unknown) => {
      noteRefusedBuild(audit, error)
      throw error
    })
  }

  /** For a transport without an audit entry of its own: records the call as soon as its handler has ended. */
  const recorded = async (name: EndpointName, input: RawInput, context: CallContext) => {
    const audit = newAuditEntry(needs.clock.now())
    const startedAt = performance.now()
    const end = (status: number) => {
      audit.outcome = { status, latencyMs: performance.now() - startedAt }
      needs.recordOutcome(audit, name, context.client)
    }
    try {
      const answer = await start(name, input, context, audit)
      end(answer.status ?? 200)
      return answer
    } catch (error) {
      end(statusOf(toFault(error)))
      throw error
    }
  }

  return {
    names,
    async checkCredential(context) {
      if (credentialOf(context.credentials()) === undefined) return
      const audit = context.audit ?? newAuditEntry(needs.clock.now())
      const checked = { ...context, checksCredential: true }
      await authorize(
        { endpoint: 'health', requires: undefined, input: undefined, context: checked, audit },
        () => undefined,
      )
    },
    call(name, input, context) {
      if (context.audit === undefined) return recorded(name, input, context)
      try {
        return start(name, input, context, context.audit)
      } catch (error) {
        return Promise.reject(error)
      }
    },
  }
}

/** The outcome of a call as a value, so that a refusal is no exception. */
type Outcome =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly quota: Quota | undefined }
  | { readonly kind: 'refused'; readonly fault: Fault; readonly quota: Quota | undefined }

/** Calls an endpoint for a transport that has its own envelope for refusals. Never rejects. */
export async function outcomeOf(
  api: Api,
  name: EndpointName,
  input: RawInput,
  context: CallContext,
): Promise<Outcome> {
  let quota: Quota | undefined
  const onQuota = (charged: Quota) => {
    quota = charged
    context.onQuota(charged)
  }
  try {
    const answer = await api.call(name, input, { ...context, onQuota })
    // A build that waits for approval: the audit log records 202, although the transport's envelope has status 200.
    if (context.audit && answer.status === 202) context.audit.status = answer.status
    return { kind: 'answered', answer, quota }
  } catch (error) {
    const fault = toFault(error)
    if (context.audit) context.audit.status = statusOf(fault)
    return { kind: 'refused', fault, quota }
  }
}

type Runnable = {
  readonly requires: Required | undefined
  /** Whether the handler may call the store several times; these calls then share one deadline. */
  readonly sharesDeadline: boolean
  readonly isBuild: boolean
  readonly run: (
    caller: Caller,
    input: RawInput,
    context: CallContext,
    audit: BuildEntry,
  ) => Answer | Promise<Answer>
}

const HAS_NONE: Call['hasVersion'] = () => false
const PREFERS_NONE: Call['prefers'] = () => undefined

function toRunnable(name: EndpointName, served: unknown, keyEndpoint: KeyIssuingEndpoint): Runnable {
  const row: EndpointSpec = ENDPOINTS[name]
  const endpoint = toGeneric(served)
  const inputOf = checkInput(row)
  const { method, auth } = ROUTES[name]
  return {
    requires: endpoint.requires,
    sharesDeadline: method !== 'GET' || auth === 'user-token',
    isBuild: effectOf(name) === 'reserves',
    run(caller, raw, context, audit) {
      const { client, hasVersion = HAS_NONE, prefers = PREFERS_NONE, replaces, idempotencyKey } = context
      const { via = 'rest', signal, note } = context
      const refusal = endpoint.refuse?.(caller, keyEndpoint)
      if (refusal) throw refusal
      refuseUnusedKey(name, idempotencyKey)
      const input = withExample(name, raw, inputOf)
      const served = endpoint.handle(input, {
        caller,
        client,
        hasVersion,
        prefers,
        replaces,
        idempotencyKey,
        via,
        signal,
        note,
        audit,
      })
      if (!(served instanceof Promise)) return toAnswer(served, row, input)
      return served.then(
        (later) => toAnswer(later, row, input),
        (error) => Promise.reject(adviseOnUnknownOutcome(error, { endpoint: name, method, idempotencyKey })),
      )
    },
  }
}

/** Selects the requested fields of a list's reply here, so that no handler has to do it. */
function toAnswer(served: Served<EndpointName>, row: EndpointSpec, input: FieldChoice): Answer {
  if ('answer' in served) return served.answer
  const body = row.list ? selectFields(served.reply, row.list, input) : served.reply
  return { status: row.status ?? 200, body }
}

type GenericEndpoint = {
  readonly requires?: Required
  readonly refuse?: (caller: Caller, keyEndpoint: KeyIssuingEndpoint) => Fault | undefined
  readonly handle: (
    input: Readonly<Record<string, unknown>>,
    call: Call,
  ) => Served<EndpointName> | Promise<Served<EndpointName>>
}

/** Safe because input check, route and handler are all looked up by the same endpoint name. */
function toGeneric(endpoint: unknown): GenericEndpoint {
  return endpoint as GenericEndpoint
}
