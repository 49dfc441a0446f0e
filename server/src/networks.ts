import type { NetworkName } from '@stakewright/contract/networks'

export type TokenUnit = { readonly symbol: string; readonly decimals: number }

/** What the rules of this service depend on. The ids of a network on Sui are in `adapters/sui/networks/networks.ts`. */
export type NetworkRules = {
  /** The unit of its amounts. */
  readonly token: TokenUnit
  /** Its epochs are those of the chain it is on, by which transactions expire. */
  readonly hasChainEpochs: boolean
  /** Stake is requested back first and withdrawn epochs later. Otherwise one call pays it out at once. */
  readonly hasTwoSteps: boolean
  /**
   * How far ahead a plan looks, in epochs. Where pay is equal, three weeks: what makes a pool pay more is its size, and
   * that does not last. Where pay is by stake, two months, and a few epochs where epochs are long.
   */
  readonly planEpochs: number
  /** The contract cannot pay out stake of a candidate that is removed before it has ever joined. */
  readonly candidateMayLock: boolean
  /**
   * epoch_rewards: no chain keeps an uptime; the exchange rates tell who was in the committee and was rewarded ·
   * simulation: the simulated chain knows who did its duty.
   */
  readonly uptimeSource: 'epoch_rewards' | 'simulation'
  /** The most calls that a refresh of its data takes, and a look at a witness. */
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

/** The table has no other keys. */
export const NETWORKS = Object.keys(NETWORK_RULES) as readonly NetworkName[]

/** How calls to a node are counted. */
export const CALLS = {
  windowMs: 30_000,
  /** How long a look at the witnesses answers for the next ones. */
  witnessMs: 10_000,
  /** What a read on behalf of a caller usually takes. */
  perRequest: 8,
} as const

/** The most calls in a window that refreshes and looks at the witnesses take; they are never held back. */
export function callsToStayFresh(network: NetworkName, refreshMs: number): number {
  const times = Math.ceil(CALLS.windowMs / refreshMs) + CALLS.windowMs / CALLS.witnessMs
  return NETWORK_RULES[network].callsPerRefresh * times
}
