import type { ChainNodes } from '#ports/chain/chain-nodes.ts'
import type { ChainWitnesses } from '#ports/chain/chain-witnesses.ts'
import type { ReadRates } from '#ports/chain/read-rates.ts'
import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { ZkLogins } from '#ports/chain/wallets.ts'
import type { Snapshots } from '#ports/stores/snapshots.ts'
import type { ChainReader } from './chain-reader.ts'
import { forRefresh, forRequest } from './connection/attempt.ts'
import type { ConfiguredEndpoint } from './connection/endpoint-address.ts'
import { type EndpointNeeds, type Endpoints, openEndpoints } from './connection/endpoints.ts'
import { graphqlSource } from './holders/graphql-source.ts'
import { openHolders, unknownHolders } from './holders/holders-of.ts'
import { ika } from './networks/ika.ts'
import { native } from './networks/native/native.ts'
import { type Contracts, NETWORKS, type NetworkConstants, type SuiNetworkName } from './networks/networks.ts'
import { walrus } from './networks/walrus.ts'
import { agreedEpochs } from './pools/agreed-epochs.ts'
import { type KeptRates, keepRates } from './pools/kept-rates.ts'
import { type PastCommissions, pastCommissions } from './pools/past-commissions.ts'
import { readStakedTokens } from './pools/staked-tokens.ts'
import { simulateOn } from './simulation/simulate.ts'
import { witnessesOf } from './witnesses.ts'
import { zkLoginsOf } from './zk-logins.ts'

/** The reader of each kind of contracts. */
const READERS = { ika, walrus, sui: native } as const satisfies Record<
  Contracts,
  (constants: NetworkConstants, past: PastCommissions) => ChainReader
>

type SuiChainNeeds = Omit<EndpointNeeds, 'chainId'> & {
  readonly network: SuiNetworkName
  /** Stores a partly read history, so that a restart resumes it. */
  readonly readRates?: ReadRates
  /** The commissions that were read in past epochs. */
  readonly seenCommissions?: Snapshots['commissions']
  /** The source for delegators, and the most tokens to list; undefined: delegators are unknown. */
  readonly holders?:
    | { readonly endpoint: ConfiguredEndpoint; readonly maxObjects: number; readonly pause: Pause }
    | undefined
}

type Pause = (ms: number, signal: AbortSignal) => Promise<void>

export type SuiChain = StakingChain &
  AsyncDisposable & {
    readonly witnesses: ChainWitnesses
    readonly nodes: ChainNodes
    readonly zkLogins: ZkLogins
    /** Resolves when the running listing of delegators has ended. */
    holdersListed(): Promise<void>
  }

export function openSuiChain(needs: SuiChainNeeds): SuiChain {
  const { network, clock } = needs
  const constants = NETWORKS[network]
  const commissionsFrom = pastCommissions(needs)
  const reader = READERS[constants.contracts](constants, commissionsFrom)
  const endpoints = openEndpoints({ ...needs, chainId: constants.chainId })
  const holders = holdersOf(needs, reader, endpoints)
  return {
    network,
    witnesses: witnessesOf({ endpoints, reader, clock }),
    nodes: endpoints,
    zkLogins: zkLoginsOf(endpoints),
    commandsFor: reader.commandsFor,
    ...readStakedTokens(endpoints, reader, clock),

    readSnapshot: (deadline) =>
      endpoints.ask(
        forRefresh(async (talk) => {
          const { snapshot } = await reader.readState(talk)
          endpoints.advanceTo(snapshot)
          const { validators, epoch } = snapshot
          return holders
            ? { ...snapshot, validators: holders.withClaimable(validators, epoch.number) }
            : snapshot
        }),
        deadline,
      ),

    readEpochs: agreedEpochs({
      endpoints,
      reader,
      keepRatesOf: ratesKept(needs),
      commissionsFrom,
      logger: needs.logger,
    }),

    // One deadline for all nodes, and failures do not count against a node. Without a simulation the build continues.
    simulate(request, deadline) {
      const { simulationMs: wholeMs, simulationTryMs: tryMs } = endpoints.limits
      return endpoints.askInTurn(
        forRequest((talk) => {
          const { client, signal } = talk.sdk()
          return simulateOn(client, request, constants, { ...talk, signal })
        }),
        deadline,
        { wholeMs, tryMs },
        ({ kind }) => kind !== 'unavailable',
      )
    },

    delegatorsOf: (holders ?? unknownHolders).delegatorsOf,
    holdersListed: async () => holders?.index.settled(),

    async [Symbol.asyncDispose]() {
      holders?.index.close()
      endpoints.close()
    },
  }
}

/** Opens, per host, the stored rates of an incomplete history. */
function ratesKept({ network, readRates: store, logger }: SuiChainNeeds) {
  const ofHosts = new Map<string | undefined, KeptRates>()
  return (host: string | undefined): KeptRates | undefined => {
    if (!store) return undefined
    const kept = ofHosts.get(host) ?? keepRates({ network, store, logger, host })
    ofHosts.set(host, kept)
    return kept
  }
}

function holdersOf(
  { network, holders, clock, logger, fetch }: SuiChainNeeds,
  reader: ChainReader,
  endpoints: Endpoints,
) {
  if (!holders) return undefined
  const { endpoint, maxObjects, pause } = holders
  const { chainId, stakedTokenType: tokenType } = NETWORKS[network]
  const source = graphqlSource({ endpoint, chainId, tokenType, clock, fetch })
  return openHolders({ reader, endpoints, source, maxObjects, pause, clock, logger })
}
