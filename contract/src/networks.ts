/** Every supported network. A test network has the contracts of the network in its name. */
export const NETWORK_NAMES = [
  'sandbox',
  'ika',
  'walrus',
  'sui',
  'ika-testnet',
  'walrus-testnet',
  'sui-testnet',
] as const

export type NetworkName = (typeof NETWORK_NAMES)[number]
