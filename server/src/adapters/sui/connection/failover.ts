import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#ports/clock.ts'
import { Fault } from '../../../fault.ts'
import type { Asking, Attempt, Signals } from './attempt.ts'
import type { Purpose } from './call-budget.ts'
import type { Endpoint, EndpointLimits } from './endpoint.ts'
import type { RetryBudget } from './retry-budget.ts'

type Needs = {
  readonly endpoints: readonly Endpoint[]
  readonly attempt: Attempt
  readonly budget: RetryBudget
  readonly clock: Clock
  readonly random: () => number
  readonly limits: EndpointLimits
}

/** Asks the best endpoint, and after a failure the next best, as long as time, retries and budget allow. */
export function askBestEndpoint({ endpoints: all, attempt, budget, clock, random, limits }: Needs) {
  return async <T>(asking: Asking<T>, signals: Signals): Promise<T> => {
    const endpoints = all.filter(({ host }) => !asking.except?.has(host))
    const tried = new Set<Endpoint>()
    const causes: unknown[] = []
    const best = (asked?: Endpoint) =>
      bestOf(
        endpoints.filter((one) => one === asked || hasCalls(one, asking.purpose, clock.now())),
        tried,
        clock.now(),
      )
    let moves = endpoints.length
    for (let endpoint = best(); endpoint !== undefined; endpoint = best()) {
      const asked = endpoint
      const isBest = () => moves === 0 || [asked, undefined].includes(best(asked))
      const outcome = await attempt(asked, asking, signals, isBest)
      if (outcome.kind === 'answered') return outcome.answer
      if (outcome.kind === 'refused') throw outcome.cause
      if (outcome.kind === 'fresher-elsewhere') {
        moves -= 1
        continue
      }
      tried.add(asked)
      if (outcome.kind === 'used-up' && !signals.total.aborted) continue
      causes.push(outcome.cause)
      if (signals.total.aborted || causes.length > limits.retries || !budget.spend()) break
      const delay = random() * limits.retryDelayMs * 2 ** causes.length
      await sleep(delay, undefined, { signal: signals.total }).catch(() => undefined)
    }
    throw unavailable(endpoints, asking.purpose, clock.now(), { causes, leastMs: limits.openMs })
  }
}

/**
 * Asks one endpoint after the other, the best first, until an answer suffices; returns the last answer if none
 * does. No endpoint is asked twice, and a slow answer does not count as a failure, because a simulation takes
 * longer than a read.
 */
export function askInTurn({ endpoints, attempt, clock }: Pick<Needs, 'endpoints' | 'attempt' | 'clock'>) {
  return async <T>(
    asking: Asking<T>,
    caller: AbortSignal,
    { wholeMs, tryMs }: { readonly wholeMs: number; readonly tryMs: number },
    isEnough: (answer: T) => boolean,
  ): Promise<T> => {
    const within = AbortSignal.any([caller, AbortSignal.timeout(wholeMs)])
    const tried = new Set<Endpoint>()
    const causes: unknown[] = []
    const untried = () =>
      bestOf(
        endpoints.filter((one) => !tried.has(one) && hasCalls(one, asking.purpose, clock.now())),
        tried,
        clock.now(),
      )
    let answered: { readonly answer: T } | undefined
    for (let endpoint = untried(); endpoint && !within.aborted; endpoint = untried()) {
      tried.add(endpoint)
      const given = untried() ? AbortSignal.any([within, AbortSignal.timeout(tryMs)]) : within
      const outcome = await attempt(endpoint, asking, { given, total: given }, () => true)
      if (outcome.kind === 'refused') throw outcome.cause
      if (outcome.kind === 'failed') causes.push(outcome.cause)
      if (outcome.kind !== 'answered') continue
      answered = outcome
      if (isEnough(outcome.answer)) break
    }
    if (answered) return answered.answer
    throw unavailable(endpoints, asking.purpose, clock.now(), { causes, leastMs: 0 })
  }
}

/** Untried endpoints first, then those with the fewest failures, then the freshest, then by configuration order. */
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

const hasCalls = ({ budget }: Endpoint, purpose: Purpose, now: number): boolean =>
  budget.waitMs(purpose, now) === 0

/** The refusal when no endpoint can be asked; `Retry-After` is when the first breaker and call budget allow a call. */
function unavailable(
  endpoints: readonly Endpoint[],
  purpose: Purpose,
  now: number,
  { causes, leastMs }: { readonly causes: readonly unknown[]; readonly leastMs: number },
): Fault {
  const waits = endpoints.map(({ breaker, budget }) =>
    Math.max(leastMs, breaker.waitMs(now), budget.waitMs(purpose, now)),
  )
  const isUsedUp = causes.length === 0 && endpoints.some((one) => !hasCalls(one, purpose, now))
  const reason = isUsedUp ? USED_UP : 'The chain cannot be read right now; try again shortly.'
  return new Fault('rpc_unavailable', reason, {
    cause: causes.length === 1 ? causes[0] : new AggregateError(causes, 'no endpoint gave a usable answer'),
    retryAfterSeconds: Math.ceil(Math.min(...waits) / 1000),
  })
}

const USED_UP =
  'Requests have used up their part of what the chain nodes allow in 30 s; try again after the time in `Retry-After`.'
