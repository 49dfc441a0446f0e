import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#ports/clock.ts'
import { Fault } from '../../../fault.ts'
import type { Attempt, Question, Signals } from './attempt.ts'
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
export function askBestEndpoint({ endpoints, attempt, budget, clock, random, limits }: Needs) {
  return async <T>(question: Question<T>, signals: Signals): Promise<T> => {
    const tried = new Set<Endpoint>()
    const causes: unknown[] = []
    const best = () => bestOf(endpoints, tried, clock.now())
    let moves = endpoints.length
    for (let endpoint = best(); endpoint !== undefined; endpoint = best()) {
      const asking = endpoint
      const isBest = () => moves === 0 || [asking, undefined].includes(best())
      const outcome = await attempt(asking, question, signals, isBest)
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
    const waits = endpoints.map(({ breaker }) => breaker.waitMs(clock.now()))
    throw unavailable(causes, Math.max(limits.openMs, Math.min(...waits)))
  }
}

/**
 * Asks one endpoint after the other, the best first, until an answer will do; the last answer when none does. Nobody is
 * asked twice, and the time that one takes is not held against it: what is asked is more than a read.
 */
export function askInTurn({ endpoints, attempt, clock }: Pick<Needs, 'endpoints' | 'attempt' | 'clock'>) {
  return async <T>(
    question: Question<T>,
    caller: AbortSignal,
    { wholeMs, tryMs }: { readonly wholeMs: number; readonly tryMs: number },
    isEnough: (answer: T) => boolean,
  ): Promise<T> => {
    const within = AbortSignal.any([caller, AbortSignal.timeout(wholeMs)])
    const tried = new Set<Endpoint>()
    const causes: unknown[] = []
    const untried = () =>
      bestOf(
        endpoints.filter((endpoint) => !tried.has(endpoint)),
        tried,
        clock.now(),
      )
    let answered: { readonly answer: T } | undefined
    for (let endpoint = untried(); endpoint && !within.aborted; endpoint = untried()) {
      tried.add(endpoint)
      const given = untried() ? AbortSignal.any([within, AbortSignal.timeout(tryMs)]) : within
      const outcome = await attempt(endpoint, question, { given, total: given }, () => true)
      if (outcome.kind === 'failed') causes.push(outcome.cause)
      if (outcome.kind !== 'answered') continue
      answered = outcome
      if (isEnough(outcome.answer)) break
    }
    if (answered) return answered.answer
    throw unavailable(causes, 0)
  }
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

function unavailable(causes: readonly unknown[], retryMs: number): Fault {
  return new Fault('rpc_unavailable', 'The chain cannot be read right now; try again shortly.', {
    cause: causes.length === 1 ? causes[0] : new AggregateError(causes, 'no endpoint gave a usable answer'),
    retryAfterSeconds: Math.ceil(retryMs / 1000),
  })
}
