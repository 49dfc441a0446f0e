import {
  type Checked,
  ENDPOINTS,
  type EndpointName,
  type Reply,
  ROUTES,
  type Row,
} from '@stakewright/contract'
import type { AgentRecord, Quota } from '#ports/admission.ts'
import type { User } from '#ports/users.ts'
import type { Fault } from '../fault.ts'
import type { Answer, AnswerHeaders } from './answer.ts'
import { checkInput } from './check-input.ts'
import type { Inbound } from './inbound.ts'
import type { RouteRow } from './routing.ts'
import type { Handler } from './run-handler.ts'

/** Who asks, once admitted. Which one an endpoint sees follows from its route. */
export type Caller =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'agent'; readonly agent: AgentRecord; readonly quota: Quota }
  | { readonly kind: 'user'; readonly user: User; readonly quota: Quota }

type CallerOf<Name extends EndpointName> = Extract<
  Caller,
  { kind: { none: 'nobody'; 'agent-key': 'agent'; 'user-token': 'user' }[(typeof ROUTES)[Name]['auth']] }
>

export type Call<Name extends EndpointName> = { readonly inbound: Inbound; readonly caller: CallerOf<Name> }

/** A reply to be sent as JSON, or an answer that is ready: bytes of a snapshot, or 304. */
export type Served<Name extends EndpointName> =
  | { readonly reply: Reply<Name>; readonly headers?: AnswerHeaders }
  | { readonly answer: Answer }

export type Endpoint<Name extends EndpointName> = {
  /** Chain data it cannot do without. Looked at before the request is charged: a 503 costs the caller nothing. */
  readonly needs?: 'data' | 'fresh data'
  /** A refusal by tier or role, before the input is looked at. */
  readonly refuse?: (caller: CallerOf<Name>) => Fault | undefined
  readonly handle: (input: Checked<Name>, call: Call<Name>) => Served<Name> | Promise<Served<Name>>
}

/** An endpoint that has no entry is neither routed nor announced. */
export type Endpoints = { readonly [Name in EndpointName]?: Endpoint<Name> }

/** What a caller asks for, as far as letting it in is concerned. */
export type Asked = {
  readonly endpoint: EndpointName
  readonly inbound: Inbound
  readonly needs: Endpoint<EndpointName>['needs']
}

/** Lets a caller in and goes on with it, or throws why not. */
export type AdmitCaller = <T>(asked: Asked, goOn: (caller: Caller) => T | Promise<T>) => Promise<T>

type Needs = {
  readonly serve: (row: RouteRow, handler: Handler) => void
  readonly admitCaller: AdmitCaller
}

export const servedNames = (endpoints: Endpoints): readonly EndpointName[] =>
  (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => endpoints[name] !== undefined)

/** Routes every endpoint that has a handler: admission, refusal by tier, input check, work — in this order. */
export function serveEndpoints(endpoints: Endpoints, { serve, admitCaller }: Needs): void {
  for (const name of servedNames(endpoints)) {
    const endpoint = toGeneric(endpoints[name])
    const row: Row = ENDPOINTS[name]
    const inputOf = checkInput(row)
    const headIsInert = name === 'verifyEmail'
    const serveCaller = (caller: Caller, inbound: Inbound): Answer | Promise<Answer> => {
      const refusal = endpoint.refuse?.(caller)
      if (refusal) throw refusal
      const served = endpoint.handle(inputOf(inbound), { inbound, caller })
      return served instanceof Promise ? served.then((later) => toAnswer(later, row)) : toAnswer(served, row)
    }
    serve({ ...ROUTES[name], headIsInert }, (inbound) =>
      admitCaller({ endpoint: name, inbound, needs: endpoint.needs }, (caller) =>
        serveCaller(caller, inbound),
      ),
    )
  }
}

function toAnswer(served: Served<EndpointName>, row: Row): Answer {
  if ('answer' in served) return served.answer
  return { status: row.status ?? 200, body: served.reply, ...(served.headers && { headers: served.headers }) }
}

type GenericEndpoint = {
  readonly needs?: Endpoint<EndpointName>['needs']
  readonly refuse?: (caller: Caller) => Fault | undefined
  readonly handle: (
    input: Readonly<Record<string, unknown>>,
    call: { readonly inbound: Inbound; readonly caller: Caller },
  ) => Served<EndpointName> | Promise<Served<EndpointName>>
}

/** The row that checks the input and the gate that admits the caller are those of the endpoint's own name. */
function toGeneric(endpoint: unknown): GenericEndpoint {
  return endpoint as GenericEndpoint
}
