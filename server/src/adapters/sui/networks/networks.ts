import type { NetworkName } from '#ports/chain/staking-chain.ts'

export type SuiNetworkName = Exclude<NetworkName, 'sandbox'>

/**
 * All three networks live on Sui mainnet. The full digest of its genesis checkpoint; its first four bytes,
 * `35834a8a`, are the short form that deployment files use. Source: dwallet-labs/ika `deployed_contracts/mainnet`
 * (`Move.lock`, env.mainnet, chain-id) for the short form, any mainnet full node for the digest.
 */
export const MAINNET_CHAIN_ID = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S'

type NetworkConstants = {
  /** The shared object that every call takes. Its package and shared version are read with every snapshot. */
  readonly systemObjectId: string
  /** Types keep the package that first defined them, whatever package is called now. */
  readonly originalPackageId: string
  /** The package whose `extended_field::Key` names the fields that hold a set apart from its parent. */
  readonly extendedFieldPackageId: string
  readonly coinType: string
  readonly stakedTokenType: string
  readonly symbol: string
  readonly decimals: number
  /** `MIN_STAKING_THRESHOLD` of the contract. */
  readonly minStake: bigint
}

const IKA = '0xb874c9b51b63e05425b74a22891c35b8da447900e577667b52e85a16d4d85486'
const IKA_COMMON = '0x9e1e9f8e4e51ee2421a8e7c0c6ab3ef27c337025d15333461b72b1b813c44175'
const IKA_COIN = '0x7262fb2f7a3a14c888c438a3cd9b912469a58cf60f367352c46584262e8299aa'
const WALRUS = '0xfdc88f7d7cf30afab2f82e8380d11ee8f70efb90e863d1de8616fae1bb09ea77'
const WAL_COIN = '0x356a26eb9e012a68958082340d4c4116e7f55615cf27affcff209cf0ae544f59'

/** The mainnet constants of each network, with their source. */
export const NETWORKS = {
  /** dwallet-labs/ika: `deployed_contracts/mainnet/address.yaml`, `contracts/ika_system/sources`. */
  ika: {
    systemObjectId: '0x215de95d27454d102d6f82ff9c54d8071eb34d5706be85b5c73cbd8173013c80',
    originalPackageId: IKA,
    extendedFieldPackageId: IKA_COMMON,
    coinType: `${IKA_COIN}::ika::IKA`,
    stakedTokenType: `${IKA}::staked_ika::StakedIka`,
    symbol: 'IKA',
    decimals: 9,
    minStake: 1_000_000_000n,
  },
  /** MystenLabs/walrus: `setup/client_config_mainnet.yaml`, `mainnet-contracts/walrus`, `Published.toml`. */
  walrus: {
    systemObjectId: '0x10b9d30c28448939ce6c4d6c6e0ffce4a7f8a4ada8248bdad09ef8b70e4a3904',
    originalPackageId: WALRUS,
    extendedFieldPackageId: WALRUS,
    coinType: `${WAL_COIN}::wal::WAL`,
    stakedTokenType: `${WALRUS}::staked_wal::StakedWal`,
    symbol: 'WAL',
    decimals: 9,
    minStake: 1_000_000_000n,
  },
  /** MystenLabs/sui: `crates/sui-framework/packages/sui-system/sources`. Framework ids are fixed by the protocol. */
  sui: {
    systemObjectId: '0x0000000000000000000000000000000000000000000000000000000000000005',
    originalPackageId: '0x3',
    extendedFieldPackageId: '0x3',
    coinType: '0x2::sui::SUI',
    stakedTokenType: '0x3::staking_pool::StakedSui',
    symbol: 'SUI',
    decimals: 9,
    minStake: 1_000_000_000n,
  },
} as const satisfies Record<SuiNetworkName, NetworkConstants>
