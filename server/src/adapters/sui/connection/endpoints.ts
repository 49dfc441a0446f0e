import type { ChainNodes } from '#ports/chain/chain-nodes.ts'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import { type HighWaterMark, makeHighWaterMark } from '../high-water-mark.ts'
import { type Asking, attemptOnce, type Outcome, type Signals } from './attempt.ts'
import type { Fetch } from './bounded-fetch.ts'
import { ENDPOINT_LIMITS, type EndpointLimits, makeEndpoint } from './endpoint.ts'
import { type ConfiguredEndpoint, toEndpointAddress } from './endpoint-address.ts'
import { askBestEndpoint, askInTurn } from './failover.ts'
import type { NodeInfo } from './messages.ts'
import { makeRetryBudget } from './retry-budget.ts'

export type EndpointNeeds = {
  /** The id of the chain to read. */
  readonly chainId: string
  readonly nodes: readonly ConfiguredEndpoint[]
  readonly clock: Clock
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  readonly logger: Logger
  readonly fetch?: Fetch
  readonly limits?: Partial<EndpointLimits>
  /** Called with a node's description of itself, before that is checked. */
  readonly onInfo?: (info: NodeInfo) => void
}

export type Endpoints = ChainNodes &
  Pick<HighWaterMark, 'advanceTo'> & {
    readonly limits: EndpointLimits
    /** Asks the best endpoint; after a failure, the next one. */
    ask<T>(asking: Asking<T>, caller: AbortSignal, totalMs?: number): Promise<T>
    /** Asks one endpoint after the other until an answer suffices; returns the last answer if none does. */
    askInTurn<T>(
      asking: Asking<T>,
      caller: AbortSignal,
      times: { readonly wholeMs: number; readonly tryMs: number },
      isEnough: (answer: T) => boolean,
    ): Promise<T>
    /** How many hosts the endpoints have. */
    readonly hostCount: number
    /** The answer or failure of every host that can be asked now. Two URLs of one host count as one witness. */
    askEach<T>(asking: Asking<T>, caller: AbortSignal): Promise<readonly PromiseSettledResult<T>[]>
    close(): void
  }

/** Several full nodes behind one interface, with failover, checks and no step back in time. */
export function openEndpoints(needs: EndpointNeeds): Endpoints {
  const { nodes, clock, random, logger, fetch = globalThis.fetch } = needs
  const limits: EndpointLimits = { ...ENDPOINT_LIMITS, ...needs.limits }
  const { chainId, onInfo } = needs
  const endpoints = nodes.map((node) =>
    makeEndpoint(toEndpointAddress(node), { chainId, clock, fetch, limits, onInfo }),
  )
  const budget = makeRetryBudget(limits.retryShare, limits.retryReserve)
  const mark = makeHighWaterMark(clock, limits.markMs)
  const attempt = attemptOnce({ clock, logger, mark, limits })
  const askBest = askBestEndpoint({ endpoints, attempt, budget, clock, random, limits })
  const inTurn = askInTurn({ endpoints, attempt, clock })
  const closed = new AbortController()

  return {
    limits,
    hostCount: new Set(endpoints.map(({ host }) => host)).size,
    advanceTo: mark.advanceTo,
    ask(asking, caller, totalMs = limits.totalMs) {
      budget.deposit()
      return askBest(asking, signalsOf(caller, closed.signal, totalMs))
    },
    askInTurn: (asking, caller, times, isEnough) =>
      inTurn(asking, AbortSignal.any([caller, closed.signal]), times, isEnough),
    askEach(asking, caller) {
      const signals = signalsOf(caller, closed.signal, limits.totalMs)
      const now = clock.now()
      const ready = endpoints.filter(
        ({ host, breaker, budget }) =>
          !asking.except?.has(host) && breaker.ready(now) && budget.waitMs(asking.purpose, now) === 0,
      )
      const ofHosts = ready.filter(({ host }, index) => ready.findIndex((one) => one.host === host) === index)
      return Promise.allSettled(
        ofHosts.map(async (endpoint) => answerOf(await attempt(endpoint, asking, signals, () => true))),
      )
    },
    states: () =>
      endpoints.map(({ host, breaker }) => {
        const now = clock.now()
        const [isReady, waitMs] = [breaker.ready(now), breaker.waitMs(now)]
        return { host, isReady, failures: breaker.failures(), waitMs }
      }),
    close: () => closed.abort(),
  }
}

function signalsOf(caller: AbortSignal, closed: AbortSignal, totalMs: number): Signals {
  const given = AbortSignal.any([caller, closed])
  return { given, total: AbortSignal.any([given, AbortSignal.timeout(totalMs)]) }
}

function answerOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'answered') return outcome.answer
  throw outcome.kind === 'fresher-elsewhere' ? undefined : outcome.cause
}
