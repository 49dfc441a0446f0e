import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import { Fault } from '../../fault.ts'
import type { Fetch } from './bounded-fetch.ts'
import type { Conversation } from './conversation.ts'
import { ENDPOINT_LIMITS, type Endpoint, type EndpointLimits, makeEndpoint } from './endpoint.ts'
import { type HighWaterMark, makeHighWaterMark } from './high-water-mark.ts'
import { makeRetryBudget } from './retry-budget.ts'

export type EndpointNeeds = {
  readonly urls: readonly string[]
  readonly clock: Clock
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  readonly logger: Logger
  readonly fetch?: Fetch
  readonly limits?: Partial<EndpointLimits>
}

export type Question<T> = (talk: Conversation) => Promise<T>

export type Endpoints = Pick<HighWaterMark, 'advanceTo'> & {
  readonly limits: EndpointLimits
  /** The answer of the best endpoint that gives a usable one. */
  ask<T>(question: Question<T>, caller: AbortSignal, totalMs?: number): Promise<T>
  /** The answer, or the failure, of every endpoint that is not known to be down. */
  askEach<T>(question: Question<T>, caller: AbortSignal): Promise<readonly PromiseSettledResult<T>[]>
  close(): void
}

type Outcome<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  | { readonly kind: 'fresher-elsewhere' }
  | { readonly kind: 'failed'; readonly cause: unknown }

/** Several full nodes, asked as if they were one that is up, right, and never goes back in time. */
export function openEndpoints({
  urls,
  clock,
  random,
  logger,
  fetch,
  limits: given,
}: EndpointNeeds): Endpoints {
  const limits: EndpointLimits = { ...ENDPOINT_LIMITS, ...given }
  const endpoints = urls.map((url) => makeEndpoint(url, fetch ?? globalThis.fetch, limits))
  const budget = makeRetryBudget(limits.retryShare, limits.retryReserve)
  const mark = makeHighWaterMark()
  const closed = new AbortController()

  /** One try with one endpoint. Only a failure that is the endpoint's own counts against it. */
  async function attempt<T>(
    endpoint: Endpoint,
    question: Question<T>,
    signals: Signals,
    isBest: () => boolean,
  ): Promise<Outcome<T>> {
    endpoint.breaker.enter()
    try {
      const talk = await endpoint.talk(clock.now(), signals.total)
      mark.checkReached(talk.info.checkpoint)
      if (!isBest()) {
        endpoint.breaker.release()
        return { kind: 'fresher-elsewhere' }
      }
      const answer = await question(talk)
      endpoint.breaker.succeed()
      return { kind: 'answered', answer }
    } catch (cause) {
      if (signals.given.aborted) {
        endpoint.breaker.release()
        return { kind: 'failed', cause }
      }
      endpoint.breaker.fail(clock.now())
      logger.warn('chain endpoint failed', { host: new URL(endpoint.url).host, reason: reasonOf(cause) })
      return { kind: 'failed', cause }
    }
  }

  async function askBest<T>(question: Question<T>, signals: Signals): Promise<T> {
    const tried = new Set<Endpoint>()
    const causes: unknown[] = []
    const best = () => bestOf(endpoints, tried, clock.now())
    let moves = endpoints.length
    for (let endpoint = best(); endpoint !== undefined; endpoint = best()) {
      const asking = endpoint
      const outcome = await attempt(
        asking,
        question,
        signals,
        () => moves === 0 || [asking, undefined].includes(best()),
      )
      if (outcome.kind === 'answered') return outcome.answer
      if (outcome.kind === 'fresher-elsewhere') {
        moves -= 1
        continue
      }
      tried.add(asking)
      causes.push(outcome.cause)
      if (signals.total.aborted || causes.length > limits.retries || !budget.spend()) break
      const delay = random() * limits.retryDelayMs * 2 ** causes.length
      await sleep(delay, undefined, { signal: signals.total }).catch(() => undefined)
    }
    throw unavailable(causes, limits.openMs)
  }

  return {
    limits,
    advanceTo: mark.advanceTo,
    ask(question, caller, totalMs = limits.totalMs) {
      budget.deposit()
      return askBest(question, signalsOf(caller, closed.signal, totalMs))
    },
    askEach(question, caller) {
      const signals = signalsOf(caller, closed.signal, limits.totalMs)
      const ready = endpoints.filter((endpoint) => endpoint.breaker.ready(clock.now()))
      return Promise.allSettled(
        ready.map(async (endpoint) => answerOf(await attempt(endpoint, question, signals, () => true))),
      )
    },
    close: () => closed.abort(),
  }
}

/** `given`: the caller or the owner gave up. `total`: that, or our own time is over. */
type Signals = { readonly given: AbortSignal; readonly total: AbortSignal }

function signalsOf(caller: AbortSignal, closed: AbortSignal, totalMs: number): Signals {
  const given = AbortSignal.any([caller, closed])
  return { given, total: AbortSignal.any([given, AbortSignal.timeout(totalMs)]) }
}

/** Those not tried yet first, then the least troubled, then the freshest, then in the order of configuration. */
function bestOf(
  endpoints: readonly Endpoint[],
  tried: ReadonlySet<Endpoint>,
  now: number,
): Endpoint | undefined {
  const rankOf = (endpoint: Endpoint) => [
    Number(tried.has(endpoint)),
    endpoint.breaker.failures(),
    endpoint.lag(),
  ]
  return endpoints
    .filter((endpoint) => endpoint.breaker.ready(now))
    .sort((a, b) => compareRanks(rankOf(a), rankOf(b)))[0]
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const difference = a.findIndex((value, index) => value !== b[index])
  return (a[difference] ?? 0) - (b[difference] ?? 0)
}

function answerOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'answered') return outcome.answer
  throw outcome.kind === 'failed' ? outcome.cause : undefined
}

function unavailable(causes: readonly unknown[], retryMs: number): Fault {
  return new Fault('rpc_unavailable', 'The chain cannot be read right now; try again shortly.', {
    cause: causes.length === 1 ? causes[0] : new AggregateError(causes, 'no endpoint gave a usable answer'),
    retryAfterSeconds: Math.ceil(retryMs / 1000),
  })
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
