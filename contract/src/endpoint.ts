import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { ListSpec } from './lists.ts'

/** The groups of endpoints, in the words of the reference. */
export const TAGS = {
  'Staking data': 'Public data of the network: validators, epoch, price, history. No credential.',
  Agent: 'What an agent asks with its API key: scores, allocations, rebalance plans, positions.',
  Transactions: 'Call parameters to stake, unstake, withdraw and join. The caller signs and submits.',
  Mandates: 'What an agent is held to: its policy, and whether a transaction would keep it.',
  Sandbox: 'The simulated chain: run built commands and move its time.',
  Identity: 'Registration, verification and management of agents and their keys.',
  Users: 'How a person signs in to manage agents.',
} as const

export type Tag = keyof typeof TAGS

/** Everything about an endpoint that its route does not say. */
export type EndpointSpec = {
  readonly tag: Tag
  readonly summary: string
  readonly description: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  /** The body may be left out. */
  readonly bodyOptional?: boolean
  readonly status?: 200 | 201 | 202
  readonly reply: z.ZodType
  /** What is answered instead, with 202, when somebody must approve first. */
  readonly waiting?: z.ZodType
  /** Its list, where a caller may ask for a part of the items or of their fields. */
  readonly list?: ListSpec
  /** Sums over lists of the reply: where fewer items are shown, they still hold. */
  readonly sums?: readonly ListSum[]
  /** Answers 304 to a matching `If-None-Match`. */
  readonly conditional?: boolean
  /** Takes `Idempotency-Key`: a repeat with the same key and body does nothing, and is answered alike. */
  readonly isRepeatable?: boolean
  /** Takes `If-Match`: changes the version that is named and no other. */
  readonly isVersioned?: boolean
  /** What it may refuse beyond what every endpoint of its kind may. */
  readonly errors?: readonly ErrorCode[]
}

/** `field` of all items of `list`, and `beside`, add up to `total`. */
export type ListSum = {
  readonly list: string
  readonly field: string
  /** A field of the reply. */
  readonly beside: string
  /** Whether `beside` is the sum of the items that are not listed: then an item that is left out counts there. */
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

/** What a caller passes: parameters of path, query and body in one flat object. Their names never collide. */
export type InputOf<R extends EndpointSpec> = Flat<
  Part<R, 'params', 'in'> & Part<R, 'query', 'in'> & OptionalWhen<R['bodyOptional'], Part<R, 'body', 'in'>>
>

/** The same after checking: defaults are filled in. */
export type CheckedOf<R extends EndpointSpec> = Flat<
  Part<R, 'params', 'out'> & Part<R, 'query', 'out'> & Part<R, 'body', 'out'>
>

export type ReplyOf<R extends EndpointSpec> = ReadOnly<z.output<R['reply']>>

/** The same to any depth, for values that are passed on and never changed. */
export type ReadOnly<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadOnly<T[K]> }
    : T

type Flat<T> = unknown extends T ? Record<never, never> : { readonly [K in keyof T]: T[K] }
