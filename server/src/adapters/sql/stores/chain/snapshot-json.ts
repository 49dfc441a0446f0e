import type {
  ActiveSet,
  ChainSnapshot,
  Epoch,
  RewardShape,
  StorageVotes,
  SystemInfo,
  TokenInfo,
  Validator,
  ValidatorFacts,
} from '#ports/chain/staking-chain.ts'
import { NETWORKS } from '../../../../networks.ts'
import {
  amount,
  flag,
  listOf,
  number,
  object,
  oneOf,
  optional,
  type Read,
  text,
  writeJson,
} from '../../stored-shape.ts'

export const writeSnapshot = (snapshot: ChainSnapshot): string => writeJson(snapshot)

/** Throws, naming the path, if the text is not a snapshot. */
export function readSnapshot(body: string): ChainSnapshot {
  return SNAPSHOT(JSON.parse(body), 'snapshot')
}

const EPOCH = object<Epoch>({
  number,
  startedAt: number,
  durationMs: number,
  nextCommitteeSelected: flag,
})

const TOKEN = object<TokenInfo>({
  symbol: text,
  decimals: number,
  coinType: text,
  stakedTokenType: text,
  minStake: amount,
})

const SYSTEM = object<SystemInfo>({
  objectId: text,
  initialSharedVersion: text,
  packageId: text,
  minValidatorJoiningStake: amount,
  minValidatorStake: amount,
  activeSet: optional(
    object<ActiveSet>({
      members: number,
      minMembers: number,
      maxMembers: number,
      changesLeft: optional(number),
    }),
  ),
})

const SHAPE_KIND = object<{ kind: RewardShape['kind'] }>({ kind: oneOf(['equal-share', 'proportional']) })
const CAP = object<{ capShare: number; shards?: number | undefined }>({
  capShare: number,
  shards: optional(number),
})

const SHAPE: Read<RewardShape> = (value, path) => {
  const { kind } = SHAPE_KIND(value, path)
  return kind === 'equal-share' ? { kind } : { kind, ...CAP(value, path) }
}

const FACTS = object<ValidatorFacts>({
  earnsUntil: optional(number),
  commissionChangesAt: optional(number),
  votingPower: optional(number),
  shards: optional(number),
  reportedBy: optional(number),
  atRiskEpochs: optional(number),
  votes: optional(object<StorageVotes>({ storagePrice: amount, writePrice: amount, nodeCapacity: amount })),
  description: optional(text),
  imageUrl: optional(text),
  projectUrl: optional(text),
})

const VALIDATOR = object<Validator>({
  id: text,
  name: text,
  status: oneOf(['candidate', 'pending', 'active', 'leaving', 'inactive']),
  stake: amount,
  nextStake: amount,
  pendingStake: amount,
  withdrawingStake: amount,
  claimableStake: optional(amount),
  unclaimedRewards: amount,
  commissionBps: number,
  nextCommissionBps: number,
  inNextCommittee: optional(flag),
  facts: optional(FACTS),
})

const SNAPSHOT = object<ChainSnapshot>({
  network: oneOf(NETWORKS),
  chainId: text,
  chainName: text,
  checkpoint: number,
  checkpointAt: number,
  epoch: EPOCH,
  chainEpoch: optional(number),
  token: TOKEN,
  system: SYSTEM,
  rewards: object<ChainSnapshot['rewards']>({ perEpoch: amount, shape: SHAPE }),
  validators: listOf(VALIDATOR),
})
