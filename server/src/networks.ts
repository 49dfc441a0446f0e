import type { NetworkName } from '@stakewright/contract/networks'

export type TokenUnit = { readonly symbol: string; readonly decimals: number }

/** Properties of a network on which rules depend. Ids on Sui are in `adapters/sui/networks/networks.ts`. */
export type NetworkRules = {
  /** The unit of amounts. */
  readonly token: TokenUnit
  /** Whether its epochs are those of its chain, by which transactions expire. */
  readonly hasChainEpochs: boolean
  /** Whether withdrawal is requested first and paid epochs later. False: one call pays at once. */
  readonly hasTwoSteps: boolean
  /**
   * Default horizon of a plan, in epochs. With equal rewards per validator three weeks, because the yield depends on a
   * pool's size, which changes. With rewards by stake two months, or a few epochs where epochs are long.
   */
  readonly planEpochs: number
  /** Whether the contract locks stake of a candidate that is removed before it has ever joined. */
  readonly candidateMayLock: boolean
  /**
   * epoch_rewards: derived from exchange rates, which show the validators that were rewarded, because no chain records
   * uptime · simulation: recorded by the sandbox.
   */
  readonly uptimeSource: 'epoch_rewards' | 'simulation'
  /** Upper bound of calls to a node for a refresh, or for asking a witness. */
  readonly callsPerRefresh: number
}

const SANDBOX = {
  token: { symbol: 'SBX', decimals: 9 },
  hasChainEpochs: true,
  hasTwoSteps: true,
  planEpochs: 20,
  candidateMayLock: false,
  uptimeSource: 'simulation',
  callsPerRefresh: 0,
} as const
const IKA = {
  token: { symbol: 'IKA', decimals: 9 },
  hasChainEpochs: false,
  hasTwoSteps: true,
  planEpochs: 20,
  candidateMayLock: true,
  uptimeSource: 'epoch_rewards',
  callsPerRefresh: 7,
} as const
const WALRUS = {
  token: { symbol: 'WAL', decimals: 9 },
  hasChainEpochs: false,
  hasTwoSteps: true,
  planEpochs: 6,
  candidateMayLock: false,
  uptimeSource: 'epoch_rewards',
  callsPerRefresh: 7,
} as const
const SUI = {
  token: { symbol: 'SUI', decimals: 9 },
  hasChainEpochs: true,
  hasTwoSteps: false,
  planEpochs: 60,
  candidateMayLock: false,
  uptimeSource: 'epoch_rewards',
  callsPerRefresh: 3,
} as const

/** The rules of each network. Epochs of the Walrus test network are days, those of its mainnet two weeks. */
export const NETWORK_RULES = {
  sandbox: SANDBOX,
  ika: IKA,
  walrus: WALRUS,
  sui: SUI,
  'ika-testnet': IKA,
  'walrus-testnet': { ...WALRUS, planEpochs: 60 },
  'sui-testnet': SUI,
} as const satisfies Record<NetworkName, NetworkRules>

/** The cast holds because the table has no other keys. */
export const NETWORKS = Object.keys(NETWORK_RULES) as readonly NetworkName[]

/** Constants of the call budget of a node. */
export const CALLS = {
  windowMs: 30_000,
  /** Time for which the witnesses' answers are cached. */
  witnessMs: 10_000,
  /** Usual number of calls of a read for a caller. */
  perRequest: 8,
} as const

/** Upper bound of calls in a window for refreshes and witnesses, which are never delayed. */
export function callsToStayFresh(network: NetworkName, refreshMs: number): number {
  const times = Math.ceil(CALLS.windowMs / refreshMs) + CALLS.windowMs / CALLS.witnessMs
  return NETWORK_RULES[network].callsPerRefresh * times
}
