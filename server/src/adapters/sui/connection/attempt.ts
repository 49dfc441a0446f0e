import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import { Fault } from '../../../fault.ts'
import { decodePercent, hideInError } from '../../../secrets/hide-secrets.ts'
import type { HighWaterMark } from '../high-water-mark.ts'
import type { Purpose } from './call-budget.ts'
import type { Conversation } from './conversation.ts'
import type { Endpoint, EndpointLimits } from './endpoint.ts'
import { pauseAsked } from './retry-after.ts'

type Question<T> = (talk: Conversation) => Promise<T>

export type Asking<T> = {
  readonly question: Question<T>
  readonly purpose: Purpose
  /** Hosts to skip, because they were asked already. */
  readonly except?: ReadonlySet<string>
}

export const forRefresh = <T>(question: Question<T>): Asking<T> => ({ question, purpose: 'refresh' })
export const forRequest = <T>(question: Question<T>): Asking<T> => ({ question, purpose: 'request' })

/** `given` aborts when the caller gives up; `total` also when the total deadline has passed. */
export type Signals = { readonly given: AbortSignal; readonly total: AbortSignal }

export type Outcome<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  | { readonly kind: 'fresher-elsewhere' }
  /** The endpoint is healthy, but requests have used up their part of its call budget. */
  | { readonly kind: 'used-up'; readonly cause: unknown }
  /** The endpoint answered, and the question threw a Fault because of that answer. */
  | { readonly kind: 'refused'; readonly cause: Fault }
  | { readonly kind: 'failed'; readonly cause: unknown }

export type Attempt = <T>(
  endpoint: Endpoint,
  asking: Asking<T>,
  signals: Signals,
  isBest: () => boolean,
) => Promise<Outcome<T>>

type Needs = {
  readonly clock: Clock
  readonly logger: Logger
  readonly mark: HighWaterMark
  readonly limits: EndpointLimits
}

/** One attempt at one endpoint. Only failures of the endpoint itself count against it. */
export function attemptOnce({ clock, logger, mark, limits }: Needs): Attempt {
  function pauseIfAsked(endpoint: Endpoint, failure: unknown, header: string): void {
    const now = clock.now()
    const pauseMs = pauseAsked(failure, header, now, limits)
    if (pauseMs !== undefined) endpoint.breaker.pause(now, pauseMs)
  }

  function noteFailure(endpoint: Endpoint, signals: Signals, cause: unknown): void {
    if (signals.given.aborted) {
      endpoint.breaker.release()
      return
    }
    endpoint.breaker.fail(clock.now())
    logger.warn('chain endpoint failed', { host: endpoint.host, reason: reasonOf(cause, signals) })
  }

  /** The abort error of a deadline has no useful message. */
  function reasonOf(cause: unknown, { total }: Signals): string {
    const line = toLine(cause)
    if (!/aborted due to timeout/i.test(line)) return line
    return total.aborted
      ? `the read took longer than ${limits.totalMs / 1_000} s in all`
      : `no answer to a call within ${limits.callMs / 1_000} s`
  }

  return async (endpoint, { question, purpose }, signals, isBest) => {
    endpoint.breaker.enter()
    const ticket = endpoint.budget.enter(purpose)
    let header = ''
    const retryAfter = (asked: string) => {
      header = asked
    }
    try {
      const talk = await endpoint.talk({ ticket, retryAfter }, signals.total)
      mark.checkReached(talk.info.checkpoint)
      if (!isBest()) {
        endpoint.breaker.release()
        return { kind: 'fresher-elsewhere' }
      }
      const answer = await question({
        ...talk,
        pauseIfAsked: (failure) => pauseIfAsked(endpoint, failure, header),
      })
      endpoint.breaker.succeed()
      return { kind: 'answered', answer }
    } catch (thrown) {
      if (thrown instanceof Fault) {
        endpoint.breaker.succeed()
        return { kind: 'refused', cause: thrown }
      }
      // Secrets repeated by the node are hidden before the text is shortened: a cut secret would not be recognized.
      const cause = hideInError(thrown, endpoint.hideSecrets)
      if (ticket.isRefused()) {
        endpoint.breaker.release()
        return { kind: 'used-up', cause }
      }
      pauseIfAsked(endpoint, thrown, header)
      noteFailure(endpoint, signals, cause)
      return { kind: 'failed', cause }
    } finally {
      ticket.leave()
    }
  }
}

/** One line, never empty: without a message the error's name is used. gRPC messages are percent-encoded. */
function toLine(cause: unknown): string {
  const text = cause instanceof Error ? cause.message || cause.name : String(cause)
  return decodePercent(text)
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, 500)
}
