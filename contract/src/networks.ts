/** Every network that a service can be about. A test network has the contracts of the network it is named after. */
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
