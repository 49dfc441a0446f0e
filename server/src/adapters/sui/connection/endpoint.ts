import { SuiGrpcClient } from '@mysten/sui/grpc'
import type { Clock } from '#ports/clock.ts'
import { CALLS } from '../../../networks.ts'
import { check } from '../layouts/decode.ts'
import { describeChain } from '../networks/networks.ts'
import type { Fetch } from './bounded-fetch.ts'
import { type Breaker, makeBreaker } from './breaker.ts'
import { type CallBudget, type CallTicket, makeCallBudget } from './call-budget.ts'
import { type Conversation, startConversation } from './conversation.ts'
import type { EndpointAddress } from './endpoint-address.ts'
import type { NodeInfo } from './messages.ts'
import { nodeFetch } from './node-fetch.ts'

export const ENDPOINT_LIMITS = {
  maxAnswerBytes: 10 * 1024 * 1024,
  /** Of one call to one endpoint. */
  callMs: 2_000,
  /**
   * Of one conversation with all retries: enough for the calls of a first read, even if each takes its full
   * `callMs`.
   */
  totalMs: 25_000,
  retries: 2,
  retryDelayMs: 100,
  /** The retry budget: retries per first try in the long run, and how many may accumulate. */
  retryShare: 0.1,
  retryReserve: 10,
  failuresToOpen: 3,
  openMs: 5_000,
  maxOpenMs: 60_000,
  /** The longest pause that a node can ask for. */
  maxPauseMs: 300_000,
  /** An endpoint whose newest checkpoint is older is asked only when no other is fresher. */
  staleMs: 15_000,
  /** How far the chain's time may be ahead of ours. */
  maxAheadMs: 60_000,
  /** How long an endpoint behind the newest served checkpoint is refused. */
  markMs: 60_000,
  /** Of one simulation over all nodes tried. It comes on top of the reads of a build. */
  simulationMs: 2_500,
  /** The timeout of a simulation on one node while there is another node to try. */
  simulationTryMs: 1_500,
  /** How long the answers of all endpoints are cached. */
  witnessMs: CALLS.witnessMs,
  /** The same after a round with too few answers. Callers are told to retry after 5 s. */
  failedWitnessMs: 2_000,
  /** Rate limit of a public node. Refreshes every 5 s and rounds of witnesses take at most six tenths of it. */
  callsPerWindow: 100,
  callWindowMs: CALLS.windowMs,
  requestShare: 0.4,
  /** Calls of the window that are reserved for refreshes and rounds of witnesses, whatever `requestShare` is. */
  reservedCalls: 0,
} as const

export type EndpointLimits = { readonly [Name in keyof typeof ENDPOINT_LIMITS]: number }

/** One full node, or one address with many behind it. */
export type Endpoint = Pick<EndpointAddress, 'host' | 'hideSecrets'> & {
  readonly breaker: Breaker
  readonly budget: CallBudget
  /** The age of its newest checkpoint at the last call; 0 when it was fresh, or is not known. */
  lag(): number
  /** Starts a conversation after checking that the endpoint is of the right chain. Its calls are counted. */
  talk(listener: CallListener, signal: AbortSignal): Promise<Omit<Conversation, 'pauseIfAsked'>>
}

/** Counts the calls of a conversation, and receives `Retry-After` headers. */
type CallListener = { readonly ticket: CallTicket; readonly retryAfter: (header: string) => void }

type Needs = {
  readonly chainId: string
  readonly clock: Clock
  readonly fetch: Fetch
  readonly limits: EndpointLimits
  readonly onInfo?: ((info: NodeInfo) => void) | undefined
}

export function makeEndpoint(
  address: EndpointAddress,
  { chainId: wantedChainId, clock, fetch, limits, onInfo }: Needs,
): Endpoint {
  const clientWith = (through: Fetch) =>
    new SuiGrpcClient({
      network: 'mainnet',
      baseUrl: address.baseUrl,
      format: 'binary',
      fetch: nodeFetch(through, address, limits.maxAnswerBytes),
    })
  let lag = 0
  return {
    host: address.host,
    hideSecrets: address.hideSecrets,
    breaker: makeBreaker(limits),
    budget: makeCallBudget(limits),
    lag: () => lag,
    async talk({ ticket, retryAfter }, signal) {
      const now = clock.now()
      const counted = countedFetch(fetch, () => ticket.take(clock.now()), retryAfter)
      const conversation = await startConversation(clientWith(counted), limits, signal)
      const { chainId, checkpointAt } = conversation.info
      onInfo?.(conversation.info)
      check(
        chainId === wantedChainId,
        `this is ${describeChain(chainId)}, not ${describeChain(wantedChainId)}`,
      )
      check(checkpointAt <= now + limits.maxAheadMs, 'the newest checkpoint lies in the future')
      lag = now - checkpointAt > limits.staleMs ? now - checkpointAt : 0
      const { host, hideSecrets } = address
      return {
        ...conversation,
        host,
        hideSecrets,
        sdk: () => ({ client: clientWith(fetchUntil(counted, signal)), signal }),
      }
    },
  }
}

const countedFetch =
  (fetch: Fetch, mayCall: () => boolean, retryAfter: CallListener['retryAfter']): Fetch =>
  async (input, init) => {
    if (!mayCall()) throw new Error('the calls for requests are used up')
    const response = await fetch(input, init)
    const asked = response.headers.get('retry-after')
    if (asked !== null) retryAfter(asked)
    return response
  }

/** Adds the signal to all calls, because the SDK makes some calls without one. */
const fetchUntil =
  (fetch: Fetch, signal: AbortSignal): Fetch =>
  (input, init) =>
    fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal })
