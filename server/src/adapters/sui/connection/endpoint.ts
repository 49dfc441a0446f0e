import { SuiGrpcClient } from '@mysten/sui/grpc'
import type { Clock } from '#ports/clock.ts'
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
  /** Of one question with all its retries: as many calls as a first read makes, each in the last moment of its time. */
  totalMs: 25_000,
  retries: 2,
  retryDelayMs: 100,
  /** Retries per first try, in the long run, and how many may be saved up. */
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
  /** How long an endpoint that is behind what was given out last is refused for it. */
  markMs: 60_000,
  /** Of the simulation of one transaction, by however many nodes: it comes on top of what a build reads. */
  simulationMs: 2_500,
  /** Of the same by one node, as long as there is another to try. */
  simulationTryMs: 1_500,
  /** How long one look at every endpoint answers for. */
  witnessMs: 10_000,
  /** What a public node allows. A refresh every 5 s and looks at the witnesses take six tenths of it at most. */
  callsPerWindow: 100,
  callWindowMs: 30_000,
  requestShare: 0.4,
} as const

export type EndpointLimits = { readonly [Name in keyof typeof ENDPOINT_LIMITS]: number }

/** One full node, or one address with many behind it. */
export type Endpoint = Pick<EndpointAddress, 'host' | 'hideSecrets'> & {
  readonly breaker: Breaker
  readonly budget: CallBudget
  /** How old its newest checkpoint was when it was last asked; 0 when that is within what is fresh, or not known. */
  lag(): number
  /** Begins a conversation, with an endpoint of the right chain only, whose calls are counted. */
  talk(hears: Hears, signal: AbortSignal): Promise<Omit<Conversation, 'heed'>>
}

/** Who counts the calls of a conversation, and hears what answers ask for in their headers. */
export type Hears = { readonly ticket: CallTicket; readonly retryAfter: (header: string) => void }

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
  (fetch: Fetch, mayCall: () => boolean, retryAfter: Hears['retryAfter']): Fetch =>
  async (input, init) => {
    if (!mayCall()) throw new Error('the calls for requests are used up')
    const response = await fetch(input, init)
    const asked = response.headers.get('retry-after')
    if (asked !== null) retryAfter(asked)
    return response
  }

/** The SDK makes some calls without a deadline. */
const fetchUntil =
  (fetch: Fetch, signal: AbortSignal): Fetch =>
  (input, init) =>
    fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal })
