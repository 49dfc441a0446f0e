import type { NetworkName } from '#ports/chain/staking-chain.ts'
import { NETWORK_RULES, type TokenUnit } from '../../../networks.ts'

export type SuiNetworkName = Exclude<NetworkName, 'sandbox'>

/**
 * The full digests of the genesis checkpoints. Their first four bytes, `35834a8a` and `4c78adac`, are the short form
 * that deployment files use. Source: any full node of the chain; `sui-types` has both, too.
 */
export const MAINNET_CHAIN_ID = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S'
export const TESTNET_CHAIN_ID = '69WiPg3DAQiwdxfncX6wYQ2siKwAe6L9BZthQea3JNMD'

const CHAIN_NAMES: Readonly<Record<string, string>> = {
  [MAINNET_CHAIN_ID]: 'mainnet',
  [TESTNET_CHAIN_ID]: 'testnet',
}

/** `mainnet` or `testnet`; undefined for other chains. */
export const chainNameOf = (chainId: string): string | undefined => CHAIN_NAMES[chainId]

/** For messages: name, if there is one, and digest. */
export const describeChain = (chainId: string): string => {
  const name = chainNameOf(chainId)
  return name === undefined ? `chain ${chainId}` : `${name} (chain ${chainId})`
}

/** The contracts that a network runs, by the mainnet that has them: they decide which reader reads it. */
export type Contracts = 'ika' | 'walrus' | 'sui'

/** Constants of a network. */
export type NetworkConstants = TokenUnit & {
  readonly name: SuiNetworkName
  readonly contracts: Contracts
  /** The chain on which the network runs; endpoints of other chains are refused. */
  readonly chainId: string
  /** The shared object that every call takes. Its package and shared version are read with every snapshot. */
  readonly systemObjectId: string
  /** The package in the names of types: the one that first defined them, also after upgrades. */
  readonly originalPackageId: string
  /** The package of `extended_field::Key`, the key type of dynamic fields that hold a part of an object. */
  readonly extendedFieldPackageId: string
  readonly coinType: string
  readonly stakedTokenType: string
  /** `MIN_STAKING_THRESHOLD` of the contract. */
  readonly minStake: bigint
}

const IKA = '0xb874c9b51b63e05425b74a22891c35b8da447900e577667b52e85a16d4d85486'
const IKA_COMMON = '0x9e1e9f8e4e51ee2421a8e7c0c6ab3ef27c337025d15333461b72b1b813c44175'
const IKA_COIN = '0x7262fb2f7a3a14c888c438a3cd9b912469a58cf60f367352c46584262e8299aa'
const WALRUS = '0xfdc88f7d7cf30afab2f82e8380d11ee8f70efb90e863d1de8616fae1bb09ea77'
const WAL_COIN = '0x356a26eb9e012a68958082340d4c4116e7f55615cf27affcff209cf0ae544f59'

const IKA_TESTNET = '0xae71e386fd4cff3a080001c4b74a9e485cd6a209fa98fb272ab922be68869148'
const IKA_TESTNET_COMMON = '0x96fc75633b6665cf84690587d1879858ff76f88c10c945e299f90bf4e0985eb0'
const IKA_TESTNET_COIN = '0x1f26bb2f711ff82dcda4d02c77d5123089cb7f8418751474b9fb744ce031526a'
const WALRUS_TESTNET = '0xd84704c17fc870b8764832c535aa6b11f21a95cd6f5bb38a9b07d2cf42220c66'
const WAL_TESTNET_COIN = '0x8270feb7375eee355e64fdb69c50abb6b5f9393a722883c1cf45f8e26048810a'

const MIN_STAKE = 1_000_000_000n

/** The constants of each network, with their source. */
export const NETWORKS = {
  /** dwallet-labs/ika: `deployed_contracts/mainnet/address.yaml`, `contracts/ika_system/sources`. */
  ika: {
    name: 'ika',
    contracts: 'ika',
    chainId: MAINNET_CHAIN_ID,
    systemObjectId: '0x215de95d27454d102d6f82ff9c54d8071eb34d5706be85b5c73cbd8173013c80',
    originalPackageId: IKA,
    extendedFieldPackageId: IKA_COMMON,
    coinType: `${IKA_COIN}::ika::IKA`,
    stakedTokenType: `${IKA}::staked_ika::StakedIka`,
    ...NETWORK_RULES.ika.token,
    minStake: MIN_STAKE,
  },
  /** MystenLabs/walrus: `setup/client_config_mainnet.yaml`, `mainnet-contracts/walrus`, `Published.toml`. */
  walrus: {
    name: 'walrus',
    contracts: 'walrus',
    chainId: MAINNET_CHAIN_ID,
    systemObjectId: '0x10b9d30c28448939ce6c4d6c6e0ffce4a7f8a4ada8248bdad09ef8b70e4a3904',
    originalPackageId: WALRUS,
    extendedFieldPackageId: WALRUS,
    coinType: `${WAL_COIN}::wal::WAL`,
    stakedTokenType: `${WALRUS}::staked_wal::StakedWal`,
    ...NETWORK_RULES.walrus.token,
    minStake: MIN_STAKE,
  },
  /** MystenLabs/sui: `crates/sui-framework/packages/sui-system/sources`. Framework ids are fixed by the protocol. */
  sui: {
    name: 'sui',
    contracts: 'sui',
    chainId: MAINNET_CHAIN_ID,
    systemObjectId: '0x0000000000000000000000000000000000000000000000000000000000000005',
    originalPackageId: '0x3',
    extendedFieldPackageId: '0x3',
    coinType: '0x2::sui::SUI',
    stakedTokenType: '0x3::staking_pool::StakedSui',
    ...NETWORK_RULES.sui.token,
    minStake: MIN_STAKE,
  },
  /** dwallet-labs/ika: `deployed_contracts/testnet/address.yaml`. */
  'ika-testnet': {
    name: 'ika-testnet',
    contracts: 'ika',
    chainId: TESTNET_CHAIN_ID,
    systemObjectId: '0x2172c6483ccd24930834e30102e33548b201d0607fb1fdc336ba3267d910dec6',
    originalPackageId: IKA_TESTNET,
    extendedFieldPackageId: IKA_TESTNET_COMMON,
    coinType: `${IKA_TESTNET_COIN}::ika::IKA`,
    stakedTokenType: `${IKA_TESTNET}::staked_ika::StakedIka`,
    ...NETWORK_RULES['ika-testnet'].token,
    minStake: MIN_STAKE,
  },
  /** MystenLabs/walrus: `setup/client_config_testnet.yaml`, `testnet-contracts/{walrus,wal}/Published.toml`. */
  'walrus-testnet': {
    name: 'walrus-testnet',
    contracts: 'walrus',
    chainId: TESTNET_CHAIN_ID,
    systemObjectId: '0xbe46180321c30aab2f8b3501e24048377287fa708018a5b7c2792b35fe339ee3',
    originalPackageId: WALRUS_TESTNET,
    extendedFieldPackageId: WALRUS_TESTNET,
    coinType: `${WAL_TESTNET_COIN}::wal::WAL`,
    stakedTokenType: `${WALRUS_TESTNET}::staked_wal::StakedWal`,
    ...NETWORK_RULES['walrus-testnet'].token,
    minStake: MIN_STAKE,
  },
  /** Framework ids are the same on every chain. */
  'sui-testnet': {
    name: 'sui-testnet',
    contracts: 'sui',
    chainId: TESTNET_CHAIN_ID,
    systemObjectId: '0x0000000000000000000000000000000000000000000000000000000000000005',
    originalPackageId: '0x3',
    extendedFieldPackageId: '0x3',
    coinType: '0x2::sui::SUI',
    stakedTokenType: '0x3::staking_pool::StakedSui',
    ...NETWORK_RULES['sui-testnet'].token,
    minStake: MIN_STAKE,
  },
} as const satisfies Record<SuiNetworkName, NetworkConstants>
