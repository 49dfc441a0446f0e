/** Pinned facts of each network: nothing here comes from the transaction or from a service. */

export type NetworkPins = {
  readonly symbol: string
  readonly decimals: number
  readonly coinType: string
  /** The accepted packages. An upgrade adds one, and a later version of the table drops the old one. */
  readonly packages: readonly string[]
  readonly system: {
    readonly objectId: string
    /** Left out if it is not published: the chain refuses a wrong one. */
    readonly initialSharedVersion?: string
  }
  /** Digest of the genesis checkpoint; left out where the network has none. */
  readonly chain?: string
  readonly calls: StakingCalls
}

/** `module::function` of every accepted call. */
export type StakingCalls = {
  /** Returns the staked token, which has to be sent to the sender. */
  readonly stake: string
  /** Sends the staked token to the sender by itself. */
  readonly stakeAndSend?: string
  readonly split: string
  /** Joins the second token into the first. Older tables do not have it. */
  readonly join?: string
  /** Requests the withdrawal. Networks without it pay out at once. */
  readonly unstake?: string
  readonly withdraw: string
  /** Whether `withdraw` returns the coin, which has to be sent to the sender; otherwise it sends it by itself. */
  readonly withdrawReturns: boolean
}

export type PinTable = {
  /** Goes up with every change; verdicts name it. */
  readonly version: number
  /** SHA-256 over the canonical JSON (RFC 8785) of version and networks, as base64url. */
  readonly digest?: string
  /** Ed25519 signature of the digest, as base64url, for tables from other sources. */
  readonly signature?: string
  readonly networks: Readonly<Record<string, NetworkPins>>
}

const MAINNET = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S'
const TESTNET = '69WiPg3DAQiwdxfncX6wYQ2siKwAe6L9BZthQea3JNMD'

const IKA_CALLS: StakingCalls = {
  stake: 'system::request_add_stake',
  split: 'staked_ika::split',
  join: 'staked_ika::join',
  unstake: 'system::request_withdraw_stake',
  withdraw: 'system::withdraw_stake',
  withdrawReturns: true,
}

const WALRUS = {
  symbol: 'WAL',
  decimals: 9,
  calls: {
    stake: 'staking::stake_with_pool',
    split: 'staked_wal::split',
    join: 'staked_wal::join',
    unstake: 'staking::request_withdraw_stake',
    withdraw: 'staking::withdraw_stake',
    withdrawReturns: true,
  },
} as const

const SUI: NetworkPins = {
  symbol: 'SUI',
  decimals: 9,
  coinType: '0x2::sui::SUI',
  packages: ['0x3'],
  system: { objectId: '0x5', initialSharedVersion: '1' },
  calls: {
    stake: 'sui_system::request_add_stake_non_entry',
    stakeAndSend: 'sui_system::request_add_stake',
    split: 'staking_pool::split',
    join: 'staking_pool::join_staked_sui',
    withdraw: 'sui_system::request_withdraw_stake',
    withdrawReturns: false,
  },
}

const SANDBOX_PACKAGE = '0x0db93b07401ee46c63777606a17c763ea537ae4881368ca6e29ff4dc35fed365'

/** Sources: the deployment files of each project, as docs/networks.md of the service names them. */
export const PINS: PinTable = {
  version: 3,
  digest: 'IHs0KAyk0Czw9VHVge9vpo0c19DNAU23w72lggDmOiE',
  networks: {
    ika: {
      symbol: 'IKA',
      decimals: 9,
      coinType: '0x7262fb2f7a3a14c888c438a3cd9b912469a58cf60f367352c46584262e8299aa::ika::IKA',
      packages: ['0xd69f947d7ee6f224dd0dd31ec3ec30c0dd0f713a1de55d564e8e98910c4f9553'],
      system: {
        objectId: '0x215de95d27454d102d6f82ff9c54d8071eb34d5706be85b5c73cbd8173013c80',
        initialSharedVersion: '595745916',
      },
      chain: MAINNET,
      calls: IKA_CALLS,
    },
    'ika-testnet': {
      symbol: 'IKA',
      decimals: 9,
      coinType: '0x1f26bb2f711ff82dcda4d02c77d5123089cb7f8418751474b9fb744ce031526a::ika::IKA',
      packages: ['0xde05f49e5f1ee13ed06c1e243c0a8e8fe858e1d8689476fdb7009af8ddc3c38b'],
      system: {
        objectId: '0x2172c6483ccd24930834e30102e33548b201d0607fb1fdc336ba3267d910dec6',
        initialSharedVersion: '508060325',
      },
      chain: TESTNET,
      calls: IKA_CALLS,
    },
    walrus: {
      ...WALRUS,
      coinType: '0x356a26eb9e012a68958082340d4c4116e7f55615cf27affcff209cf0ae544f59::wal::WAL',
      packages: ['0x98da433aa0139512c210597b1c5e3df6cd121d8d77f8652691bb66fadfc8aa1b'],
      system: { objectId: '0x10b9d30c28448939ce6c4d6c6e0ffce4a7f8a4ada8248bdad09ef8b70e4a3904' },
      chain: MAINNET,
    },
    'walrus-testnet': {
      ...WALRUS,
      coinType: '0x8270feb7375eee355e64fdb69c50abb6b5f9393a722883c1cf45f8e26048810a::wal::WAL',
      packages: ['0x849e95d2718938d66c37fb91df76d72f78526c1864c339bac415ce8ecda2d8cc'],
      system: { objectId: '0xbe46180321c30aab2f8b3501e24048377287fa708018a5b7c2792b35fe339ee3' },
      chain: TESTNET,
    },
    sui: { ...SUI, chain: MAINNET },
    'sui-testnet': { ...SUI, chain: TESTNET },
    sandbox: {
      symbol: 'SBX',
      decimals: 9,
      coinType: `${SANDBOX_PACKAGE}::sbx::SBX`,
      packages: [SANDBOX_PACKAGE],
      system: {
        objectId: '0x751fbc576ae8eeeb58fd6c6e56395cff0ac264097b9e7a65ee6cd850d664d912',
        initialSharedVersion: '1',
      },
      calls: { ...IKA_CALLS, split: 'staked_token::split', join: 'staked_token::join' },
    },
  },
}
