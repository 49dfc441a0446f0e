import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { ListSpec } from './lists.ts'

/** The groups of endpoints in the reference documentation. */
export const TAGS = {
  'Staking data': 'Public data of the network: validators, epoch, price, history. No credential.',
  Agent: 'What an agent asks with its API key: scores, allocations, rebalance plans, positions.',
  Transactions: 'Call parameters to stake, unstake, withdraw and join. The caller signs and submits.',
  Mandates: 'What an agent may do: its policy, and whether a transaction would comply with it.',
  Sandbox: 'The simulated chain: run built commands and move its time.',
  Identity: 'Registration, verification and management of agents and their keys.',
  Users: 'How a person signs in to manage agents.',
} as const

export type Tag = keyof typeof TAGS

/**
 * Each address has these budgets besides its ordinary one, for all requests that an owner needs to stop a stolen key:
 * other traffic from the owner's address must not block them. A flood of one budget does not affect the others.
 */
export type AddressBudget = 'sign-in' | 'key-revocation' | 'agent-revocation'

/** An endpoint's schemas and behaviour; its route is in `ROUTES`. */
export type EndpointSpec = {
  readonly tag: Tag
  readonly summary: string
  /** Names other endpoints by their marks (`texts/words.ts`). */
  readonly description: string
  /** What only callers over HTTP can use. */
  readonly overHttp?: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  /** Fields of the body of which a request has exactly one. */
  readonly oneOf?: readonly string[]
  /** The body may be left out. */
  readonly bodyOptional?: boolean
  readonly status?: 200 | 201 | 202
  readonly reply: z.ZodType
  /** The reply with 202 if the owner must approve first. */
  readonly waiting?: z.ZodType
  /** The list of the reply, if callers may page it or select fields. */
  readonly list?: ListSpec
  /** Sums over lists of the reply, which must still hold if items are left out. */
  readonly sums?: readonly ListSum[]
  /** Answers 304 to a matching `If-None-Match`. */
  readonly conditional?: boolean
  /**
   * Requests count for this budget of their address, not for its ordinary one. A used-up quota does not refuse them
   * either, and the breaker lets a few of each address pass.
   */
  readonly addressBudget?: AddressBudget
  /** Takes `Idempotency-Key`: a repeat with the same key and body has no effect and gets the same answer. */
  readonly isRepeatable?: boolean
  /** Takes `If-Match`: only the named version is changed. */
  readonly isVersioned?: boolean
  /** Error codes beyond those of every endpoint with the same method and credential. */
  readonly errors?: readonly ErrorCode[]
}

/** `field` of all items of `list`, and `remainder`, add up to `total`. */
export type ListSum = {
  readonly list: string
  readonly field: string
  /** A field of the reply. */
  readonly remainder: string
  /** Whether `remainder` is the sum of unlisted items. If so, omitted items are added to it. */
  readonly isOfUnlisted: boolean
  /** A field of the reply or of the request. */
  readonly total: string
}

type Part<R, Name extends string, Direction extends 'in' | 'out'> = R extends {
  readonly [key in Name]: infer Schema extends z.ZodType
}
  ? Direction extends 'in'
    ? ReadOnly<z.input<Schema>>
    : ReadOnly<z.output<Schema>>
  : unknown

type OptionalWhen<Condition, T> = Condition extends true ? Partial<T> : T

/** A caller's input: parameters of path, query and body in one flat object. Their names never collide. */
export type InputOf<R extends EndpointSpec> = Flat<
  Part<R, 'params', 'in'> & Part<R, 'query', 'in'> & OptionalWhen<R['bodyOptional'], Part<R, 'body', 'in'>>
>

/** The same after validation, with defaults filled in. */
export type CheckedOf<R extends EndpointSpec> = Flat<
  Part<R, 'params', 'out'> & Part<R, 'query', 'out'> & Part<R, 'body', 'out'>
>

export type ReplyOf<R extends EndpointSpec> = ReadOnly<z.output<R['reply']>>

/** Part of an input that selects no fields. */
export type AllFields = { readonly fields?: undefined; readonly view?: 'full' | undefined }

/** The reply to an input that may select fields: all fields of a list's items are optional. */
export type InPartOf<R extends EndpointSpec> = R extends {
  readonly list: { readonly items: infer Items extends string }
}
  ? { readonly [K in keyof ReplyOf<R>]: K extends Items ? PartialItems<ReplyOf<R>[K]> : ReplyOf<R>[K] }
  : ReplyOf<R>

type PartialItems<T> = T extends readonly (infer Item)[] ? readonly Partial<Item>[] : T

/** Makes a type deeply readonly. */
export type ReadOnly<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadOnly<T[K]> }
    : T

type Flat<T> = unknown extends T ? Record<never, never> : { readonly [K in keyof T]: T[K] }
