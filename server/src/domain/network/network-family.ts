import type { NetworkFamily, NetworkName } from '#ports/chain/staking-chain.ts'

/** A test network has the contracts, and so the rules, of the network it is named after. */
export function familyOf(network: NetworkName): NetworkFamily {
  return FAMILIES[network]
}

const FAMILIES = {
  sandbox: 'sandbox',
  ika: 'ika',
  walrus: 'walrus',
  sui: 'sui',
  'ika-testnet': 'ika',
  'walrus-testnet': 'walrus',
  'sui-testnet': 'sui',
} as const satisfies Record<NetworkName, NetworkFamily>
