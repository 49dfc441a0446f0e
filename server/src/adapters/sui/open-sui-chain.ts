import type { ChainNodes } from '#ports/chain/chain-nodes.ts'
import type { ChainWitnesses } from '#ports/chain/chain-witnesses.ts'
import type { ReadRates } from '#ports/chain/read-rates.ts'
import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { ZkLogins } from '#ports/chain/wallets.ts'
import type { ChainReader } from './chain-reader.ts'
import { forRefresh, forRequest } from './connection/attempt.ts'
import type { ConfiguredEndpoint } from './connection/endpoint-address.ts'
import { type EndpointNeeds, type Endpoints, openEndpoints } from './connection/endpoints.ts'
import { graphqlSource } from './holders/graphql-source.ts'
import { openHolders, unknownHolders } from './holders/holders-of.ts'
import { ika } from './networks/ika.ts'
import { native } from './networks/native/native.ts'
import { NETWORKS, type NetworkConstants, type SuiNetworkName } from './networks/networks.ts'
import { walrus } from './networks/walrus.ts'
import { readEpochRecords } from './pools/epoch-records.ts'
import { keepRates } from './pools/kept-rates.ts'
import { openRateBook, type RateBook } from './pools/rate-book.ts'
import { readStakedTokens } from './pools/staked-tokens.ts'
import { simulateOn } from './simulation/simulate.ts'
import { witnessesOf } from './witnesses.ts'
import { zkLoginsOf } from './zk-logins.ts'

/** How each network is read. A test network has the contracts of its mainnet, under other ids. */
const READERS = {
  ika,
  walrus,
  sui: native,
  'ika-testnet': ika,
  'walrus-testnet': walrus,
  'sui-testnet': native,
} as const satisfies Record<SuiNetworkName, (constants: NetworkConstants) => ChainReader>

/** A history is read in many small calls, each with its own deadline; only the caller says how long all may take. */
const NO_TOTAL_MS = 2 ** 31 - 1

export type SuiChainNeeds = Omit<EndpointNeeds, 'chainId'> & {
  readonly network: SuiNetworkName
  /** Where a history that is being read is kept over restarts. */
  readonly readRates?: ReadRates
  /** Who stakes with whom is listed from here, up to so many tokens; undefined: nobody can tell. */
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
    /** Ends once the list of delegators that is being read has been. */
    holdersListed(): Promise<void>
  }

export function openSuiChain(needs: SuiChainNeeds): SuiChain {
  const { network, clock } = needs
  const constants = NETWORKS[network]
  const reader = READERS[network](constants)
  const endpoints = openEndpoints({ ...needs, chainId: constants.chainId })
  const holders = holdersOf(needs, reader, endpoints)
  const kept = needs.readRates && keepRates({ network, store: needs.readRates, logger: needs.logger })
  // Kept when a read of the history fails: the next read continues there, on whichever endpoint.
  let book: RateBook | undefined
  let presentEpoch = 0
  const openBook = async () =>
    openRateBook(reader.rateTable, await kept?.load(), kept && ((rates) => kept.keep(rates, presentEpoch)))

  return {
    network,
    witnesses: witnessesOf({ endpoints, reader, clock }),
    nodes: endpoints,
    zkLogins: zkLoginsOf(endpoints),
    commandsFor: reader.commandsFor,
    ...readStakedTokens(endpoints, reader),

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

    async readEpochs(fromEpoch, deadline) {
      const rates = book ?? (await openBook())
      book = rates
      const records = await endpoints.ask(
        forRefresh(async (talk) => {
          const { snapshot, pools } = await reader.readState(talk)
          presentEpoch = snapshot.epoch.number
          return readEpochRecords(talk, rates, pools, snapshot.epoch, fromEpoch)
        }),
        deadline,
        NO_TOTAL_MS,
      )
      book = undefined
      kept?.complete()
      return records
    },

    // Bounded as a whole, and not held against a node: a build goes on without it.
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
