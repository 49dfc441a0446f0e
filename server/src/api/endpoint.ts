import type { Checked, EndpointName, Reply, ROUTES } from '@stakewright/contract'
import type { Fault } from '../fault.ts'
import type { Answer } from './answer.ts'
import type { Call, Caller } from './call.ts'

type CallerOf<Name extends EndpointName> = Extract<
  Caller,
  { kind: { none: 'anonymous'; 'agent-key': 'agent'; 'user-token': 'user' }[(typeof ROUTES)[Name]['auth']] }
>

/** A reply to serialize, or a complete answer, such as cached JSON. */
export type Served<Name extends EndpointName> = { readonly reply: Reply<Name> } | { readonly answer: Answer }

/** The chain data that an endpoint requires. */
export type Required = 'data' | 'fresh data'

/** The endpoint that issues a key to a caller without one. */
export type KeyIssuingEndpoint = Extract<EndpointName, 'sandboxKey' | 'selfRegister'>

/** Serves one row of the contract, independent of the transport. */
type Endpoint<Name extends EndpointName> = {
  /** Checked before the call is charged: a 503 costs the caller nothing. */
  readonly requires?: Required
  /** A refusal by tier or role, before the input is checked. */
  readonly refuse?: (caller: CallerOf<Name>, keyEndpoint: KeyIssuingEndpoint) => Fault | undefined
  readonly handle: (input: Checked<Name>, call: Call<CallerOf<Name>>) => Served<Name> | Promise<Served<Name>>
}

/** An endpoint without an entry is neither served nor documented. */
export type Endpoints = { readonly [Name in EndpointName]?: Endpoint<Name> }
