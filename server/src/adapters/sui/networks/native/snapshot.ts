import type { ChainSnapshot, Validator, ValidatorFacts } from '#ports/chain/staking-chain.ts'
import type { Conversation } from '../../connection/conversation.ts'
import { present, toDisplayName, toDisplayText, toWebAddress, toWhole } from '../../layouts/decode.ts'
import { nextStakeOf } from '../../pools/pool.ts'
import type { NetworkConstants } from '../networks.ts'
import { commissionOf } from './commission.ts'
import { leastJoiningStake, leastSafeStake } from './seats.ts'
import type { ActiveValidator, SystemReading } from './system.ts'

/** Cap of a validator's voting power, to which rewards are proportional. */
const MAX_SHARE = 0.1

export function toSnapshot(
  constants: NetworkConstants,
  talk: Conversation,
  system: SystemReading,
  perEpoch: bigint,
): ChainSnapshot {
  const { systemObjectId, originalPackageId, coinType, stakedTokenType, symbol, decimals, minStake } =
    constants
  const { epoch: number, startedAt, durationMs, active, leaving, totalStake } = system
  return {
    network: constants.name,
    chainId: constants.chainId,
    chainName: talk.info.chainName,
    chainEpoch: system.epoch,
    ...talk.oldest(),
    epoch: { number, startedAt, durationMs, nextCommitteeSelected: false },
    token: { symbol, decimals, coinType, stakedTokenType, minStake },
    system: {
      objectId: systemObjectId,
      initialSharedVersion: '1',
      packageId: originalPackageId,
      minValidatorJoiningStake: leastJoiningStake(totalStake),
      minValidatorStake: leastSafeStake(totalStake),
      activeSet: undefined,
    },
    rewards: { perEpoch, shape: { kind: 'proportional', capShare: MAX_SHARE } },
    validators: active.map((validator, index) => ({
      ...toValidator(validator, leaving.has(index)),
      facts: factsOf(validator, system),
    })),
  }
}

function toValidator({ address, pool, raw }: ActiveValidator, leaving: boolean): Validator {
  const stake = present(pool.suiBalance, `the stake of ${address}`)
  const pendingStake = present(pool.pendingStake, `the pending stake of ${address}`)
  const withdrawingStake = present(pool.pendingTotalSuiWithdraw, `the withdrawals of ${address}`)
  return {
    id: address,
    name: toDisplayName(raw.name ?? ''),
    status: leaving ? 'leaving' : 'active',
    stake,
    pendingStake,
    withdrawingStake,
    nextStake: nextStakeOf(stake, pendingStake, withdrawingStake),
    // A withdrawal is paid at once, so there is never claimable stake.
    claimableStake: 0n,
    unclaimedRewards: present(pool.rewardsPool, `the rewards of ${address}`),
    commissionBps: commissionOf(raw.commissionRate, address),
    nextCommissionBps: commissionOf(raw.nextEpochCommissionRate, address),
    inNextCommittee: undefined,
  }
}

function factsOf({ address, raw }: ActiveValidator, system: SystemReading): ValidatorFacts {
  const announces = raw.nextEpochCommissionRate !== raw.commissionRate
  return {
    commissionChangesAt: announces ? system.epoch + 1 : undefined,
    votingPower:
      raw.votingPower === undefined ? undefined : toWhole(raw.votingPower, `the votes of ${address}`),
    reportedBy: system.reports.get(address) ?? 0,
    atRiskEpochs: system.atRisk.get(address) ?? 0,
    description: toDisplayText(raw.description ?? ''),
    imageUrl: toWebAddress(raw.imageUrl ?? ''),
    projectUrl: toWebAddress(raw.projectUrl ?? ''),
  }
}
