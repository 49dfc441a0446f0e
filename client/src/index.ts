import type { AllFields, Input, ListName, Reply, ReplyInPart } from '@stakewright/contract'
import { type EndpointName, ROUTES } from '@stakewright/contract/routes'
import { checkOptions } from './check-options.ts'
import { StakewrightError } from './error.ts'
import { openExchange, type Settings } from './exchange.ts'
import { type RetryRules, retryDelayMs, sleep } from './retry.ts'

export type { Command, ErrorCode, Input, Reply } from '@stakewright/contract'
export { isCredential } from './credential.ts'
export { ApprovalNeeded, type ClientErrorCode, NotModified, StakewrightError } from './error.ts'
export type { Answer } from './exchange.ts'
export type { RateLimit } from './rate-limit.ts'
export { redirectText } from './redirect.ts'

export type ClientOptions = Settings & {
  /** Most retries after transient failures: 2 by default, 0 for none. */
  readonly retries?: number
  /** The longest wait before a retry, in milliseconds: 5 s by default. */
  readonly maxRetryWaitMs?: number
  /** From 0 to below 1, for the jitter of retries. */
  readonly random?: () => number
}

/** Options of a single call. */
export type CallOptions = Pick<ClientOptions, 'timeoutMs' | 'retries' | 'onAnswer'> & {
  /** The `Idempotency-Key` of a registration, rotation or build, so that a repeat has no effect. */
  readonly idempotencyKey?: string
  /** Aborts the call and its retries; it rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

type Arguments<Given> =
  Record<never, never> extends Given
    ? [input?: Given, options?: CallOptions]
    : [input: Given, options?: CallOptions]

export type Client = {
  readonly [Name in EndpointName]: Name extends ListName
    ? ListCall<Name>
    : (...input: Arguments<Input<Name>>) => Promise<Reply<Name>>
}

/** Items have all their fields unless the call selects some. */
type ListCall<Name extends ListName> = {
  (...input: Arguments<Input<Name> & AllFields>): Promise<Reply<Name>>
  (...input: Arguments<Input<Name>>): Promise<ReplyInPart<Name>>
}

type Values = Readonly<Record<string, unknown>>
type Call = (name: EndpointName, input?: Values, options?: CallOptions) => Promise<unknown>

const RETRIES = 2
const MAX_RETRY_WAIT_MS = 5_000

/**
 * A typed client: one method per endpoint, parameters of path, query and body in one object.
 *
 * ```ts
 * const client = createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey })
 * const { allocations } = await client.allocate({ amount: '5000000000' })
 * ```
 *
 * A refusal throws a `StakewrightError` with its `code`. A transient failure is retried if a repeat does no harm. Public
 * data is cached by ETag, so an unchanged answer costs a 304; a call with a `hash` throws `NotModified` while the answer
 * still has that hash. A build that the owner must approve first throws `ApprovalNeeded`.
 */
export function createClient(options: ClientOptions): Client {
  checkOptions(options)
  const exchange = openExchange(options)
  const call: Call = async (name, input = {}, callOptions = {}) => {
    checkOptions(callOptions)
    const rules = retryRules(options, callOptions)
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await exchange.send(name, input, callOptions)
      } catch (error) {
        if (!(error instanceof StakewrightError)) throw error
        const delayMs = retryDelayMs(error, attempt, rules)
        if (delayMs === undefined) throw error
        await sleep(delayMs, callOptions.signal)
      }
    }
  }
  return toClient(call)
}

function retryRules(options: ClientOptions, { retries }: CallOptions): RetryRules {
  return {
    retries: retries ?? options.retries ?? RETRIES,
    maxWaitMs: options.maxRetryWaitMs ?? MAX_RETRY_WAIT_MS,
    random: options.random ?? Math.random,
  }
}

/** The cast holds because every endpoint of the table becomes a method. */
function toClient(call: Call): Client {
  const names = Object.keys(ROUTES) as EndpointName[]
  const calls = Object.fromEntries(
    names.map((name) => [name, (input?: Values, options?: CallOptions) => call(name, input, options)]),
  )
  return calls as unknown as Client
}
