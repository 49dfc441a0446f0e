import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { ChainSnapshot } from '#ports/staking-chain.ts'
import { Fault } from '../../fault.ts'
import type { Fetch } from './bounded-fetch.ts'
import type { Conversation } from './conversation.ts'
import { check } from './decode.ts'
import { ENDPOINT_LIMITS, type Endpoint, type EndpointLimits, makeEndpoint } from './endpoint.ts'
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
type Asked<T> = { readonly question: Question<T>; readonly caller: AbortSignal; readonly signal: AbortSignal }
type Outcome<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  | { readonly kind: 'fresher-elsewhere' }
  | { readonly kind: 'failed'; readonly cause: unknown }

export type Endpoints = {
  readonly limits: EndpointLimits
  /** The answer of the best endpoint that gives a usable one. */
  ask<T>(question: Question<T>, caller: AbortSignal, totalMs?: number): Promise<T>
  /** The answer, or the failure, of every endpoint that is not known to be down. */
  askEach<T>(question: Question<T>, caller: AbortSignal): Promise<readonly PromiseSettledResult<T>[]>
  /** Refuses a snapshot that is older than one that was given out before. */
  advanceTo(snapshot: ChainSnapshot): void
  close(): void
}

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
  const closed = new AbortController()
  let newest = { checkpoint: 0, epoch: 0 }

  /** Those not tried yet first, then the least troubled, then the freshest, then in the order of configuration. */
  function best(tried: ReadonlySet<Endpoint>): Endpoint | undefined {
    const rank = (endpoint: Endpoint) => [
      Number(tried.has(endpoint)),
      endpoint.breaker.failures(),
      endpoint.lag(),
    ]
    return endpoints
      .filter((endpoint) => endpoint.breaker.ready(clock.now()))
      .sort((a, b) => compareRanks(rank(a), rank(b)))[0]
  }

  function failed(endpoint: Endpoint, caller: AbortSignal, cause: unknown): void {
    if (caller.aborted || closed.signal.aborted) {
      endpoint.breaker.release()
      return
    }
    endpoint.breaker.fail(clock.now())
    logger.warn('chain endpoint failed', { url: withoutSecrets(endpoint.url), reason: reasonOf(cause) })
  }

  async function begin(endpoint: Endpoint, signal: AbortSignal): Promise<Conversation> {
    const talk = await endpoint.talk(clock.now(), signal)
    const { checkpoint } = talk.info
    check(
      checkpoint >= newest.checkpoint,
      `checkpoint ${checkpoint} is older than the known ${newest.checkpoint}`,
    )
    return talk
  }

  async function attempt<T>(
    endpoint: Endpoint,
    { question, caller, signal }: Asked<T>,
    isBest: () => boolean,
  ): Promise<Outcome<T>> {
    endpoint.breaker.enter()
    try {
      const talk = await begin(endpoint, signal)
      if (!isBest()) {
        endpoint.breaker.release()
        return { kind: 'fresher-elsewhere' }
      }
      const answer = await question(talk)
      endpoint.breaker.succeed()
      return { kind: 'answered', answer }
    } catch (cause) {
      failed(endpoint, caller, cause)
      return { kind: 'failed', cause }
    }
  }

  async function askBest<T>(asked: Asked<T>): Promise<T> {
    const tried = new Set<Endpoint>()
    const causes: unknown[] = []
    let moves = endpoints.length
    for (let endpoint = best(tried); endpoint !== undefined; endpoint = best(tried)) {
      const asking = endpoint
      const outcome = await attempt(
        asking,
        asked,
        () => moves === 0 || best(tried) === asking || !best(tried),
      )
      if (outcome.kind === 'answered') return outcome.answer
      if (outcome.kind === 'fresher-elsewhere') moves -= 1
      if (outcome.kind === 'failed') {
        tried.add(asking)
        causes.push(outcome.cause)
        if (asked.signal.aborted || causes.length > limits.retries || !budget.spend()) break
        const delay = random() * limits.retryDelayMs * 2 ** causes.length
        await sleep(delay, undefined, { signal: asked.signal }).catch(() => undefined)
      }
    }
    throw unavailable(causes, limits.openMs)
  }

  return {
    limits,
    ask(question, caller, totalMs = limits.totalMs) {
      budget.deposit()
      const signal = AbortSignal.any([caller, closed.signal, AbortSignal.timeout(totalMs)])
      return askBest({ question, caller, signal })
    },
    async askEach(question, caller) {
      const signal = AbortSignal.any([caller, closed.signal, AbortSignal.timeout(limits.totalMs)])
      const ready = endpoints.filter((endpoint) => endpoint.breaker.ready(clock.now()))
      return Promise.allSettled(
        ready.map(async (endpoint) => {
          const outcome = await attempt(endpoint, { question, caller, signal }, () => true)
          if (outcome.kind !== 'answered') throw outcome.kind === 'failed' ? outcome.cause : undefined
          return outcome.answer
        }),
      )
    },
    advanceTo({ checkpoint, epoch }) {
      check(checkpoint >= newest.checkpoint, 'a newer snapshot was given out meanwhile')
      check(epoch.number >= newest.epoch, `epoch ${epoch.number} is older than the known ${newest.epoch}`)
      newest = { checkpoint, epoch: epoch.number }
    },
    close: () => closed.abort(),
  }
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const difference = a.findIndex((value, index) => value !== b[index])
  return (a[difference] ?? 0) - (b[difference] ?? 0)
}

function unavailable(causes: readonly unknown[], retryMs: number): Fault {
  return new Fault('rpc_unavailable', 'The chain cannot be read right now; try again shortly.', {
    cause: causes.length === 1 ? causes[0] : new AggregateError(causes, 'no endpoint gave a usable answer'),
    retryAfterSeconds: Math.ceil(retryMs / 1000),
  })
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Providers put keys into paths and queries; the host alone tells endpoints apart in a log. */
const withoutSecrets = (url: string): string => new URL(url).host
