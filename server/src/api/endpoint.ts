import type { Checked, EndpointName, Reply, ROUTES } from '@stakewright/contract'
import type { Fault } from '../fault.ts'
import type { Answer } from './answer.ts'
import type { Call, Caller } from './call.ts'

type CallerOf<Name extends EndpointName> = Extract<
  Caller,
  { kind: { none: 'anonymous'; 'agent-key': 'agent'; 'user-token': 'user' }[(typeof ROUTES)[Name]['auth']] }
>

/** A reply to be sent as JSON, or an answer that is ready: the bytes of a snapshot, or 304. */
export type Served<Name extends EndpointName> = { readonly reply: Reply<Name> } | { readonly answer: Answer }

/** Chain data an endpoint cannot do without. */
export type Required = 'data' | 'fresh data'

/** The endpoint by which a caller without a key gets one. */
export type GivesKeys = Extract<EndpointName, 'sandboxKey' | 'selfRegister'>

/** What serves one row of the contract, whatever the transport. */
type Endpoint<Name extends EndpointName> = {
  /** Checked before the call is charged: a 503 costs the caller nothing. */
  readonly requires?: Required
  /** A refusal by tier or role, before the input is checked. */
  readonly refuse?: (caller: CallerOf<Name>, givesKeys: GivesKeys) => Fault | undefined
  readonly handle: (input: Checked<Name>, call: Call<CallerOf<Name>>) => Served<Name> | Promise<Served<Name>>
}

/** An endpoint without an entry is neither served nor documented. */
export type Endpoints = { readonly [Name in EndpointName]?: Endpoint<Name> }
