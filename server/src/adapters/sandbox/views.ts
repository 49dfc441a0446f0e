import type {
  ChainSnapshot,
  DelegatorPage,
  EpochRecord,
  StakedToken,
  Validator,
  ValidatorStatus,
} from '#ports/chain/staking-chain.ts'
import { NETWORK_RULES } from '../../networks.ts'
import { rewardPerEpoch } from './chain-time.ts'
import { holds, SET_LIMITS, stakeToEnter } from './staking/active-set.ts'
import { sumAfter } from './staking/pending-values.ts'
import { balanceAt, type Pool, rateAt } from './staking/pool.ts'
import type { Standing } from './staking/pool-staking.ts'
import { activationFor, payableRewards } from './staking/pool-staking.ts'
import { toShares } from './staking/rate.ts'
import type { Token } from './staking/staked-token.ts'
import { MIN_STAKE } from './staking/staked-token.ts'
import { standingOf } from './staking/validator-set.ts'
import {
  COIN_TYPE,
  PACKAGE_ID,
  STAKED_TOKEN_TYPE,
  SYSTEM_ID,
  SYSTEM_VERSION,
} from './transactions/commands.ts'
import type { SandboxValidator, World } from './world/world.ts'

/** The checkpoint number grows by one in this time, and with every stored change. */
const CHECKPOINT_MS = 200

/** `chainTime` never goes back; `now` is what the clock says. */
export function viewSnapshot(
  world: World,
  { epochMs, chainTime, now }: { epochMs: number; chainTime: number; now: number },
): ChainSnapshot {
  const claimable = claimableByValidator(world)
  return {
    network: 'sandbox',
    chainId: world.chainId,
    chainName: 'sandbox',
    chainEpoch: world.epoch,
    checkpoint: Math.floor((chainTime - world.genesisAt) / CHECKPOINT_MS) + world.changes,
    checkpointAt: now,
    epoch: {
      number: world.epoch,
      startedAt: world.epochStartedAt,
      durationMs: epochMs,
      nextCommitteeSelected: world.nextCommittee !== undefined,
    },
    token: {
      ...NETWORK_RULES.sandbox.token,
      coinType: COIN_TYPE,
      stakedTokenType: STAKED_TOKEN_TYPE,
      minStake: MIN_STAKE,
    },
    system: {
      objectId: SYSTEM_ID,
      initialSharedVersion: SYSTEM_VERSION,
      packageId: PACKAGE_ID,
      minValidatorJoiningStake: stakeToEnter(world.activeSet),
      minValidatorStake: SET_LIMITS.joiningStake,
      activeSet: {
        members: world.activeSet.members.length,
        minMembers: SET_LIMITS.minMembers,
        maxMembers: SET_LIMITS.maxMembers,
        changesLeft: SET_LIMITS.maxChanges - world.activeSet.changes.length,
      },
    },
    rewards: { perEpoch: rewardPerEpoch(world, epochMs), shape: { kind: 'equal-share' } },
    validators: [...world.validators.values()].map((validator) =>
      viewValidator(world, validator, claimable.get(validator.id) ?? 0n),
    ),
  }
}

function viewValidator(
  world: World,
  { id, name, pool }: SandboxValidator,
  claimableStake: bigint,
): Validator {
  const standing = standingOf(world, id)
  const stake = balanceAt(pool, world.epoch)
  const pendingStake = sumAfter(pool.pendingStake, world.epoch)
  const nextStake = balanceAt(pool, activationFor(standing))
  const announced = announcedCommission(pool, world.epoch)
  return {
    id,
    name,
    status: statusOf(world, pool.state.kind, id, standing),
    stake,
    nextStake,
    pendingStake,
    // Calculated as a difference, so that the three fields add up to `nextStake` exactly.
    withdrawingStake: stake + pendingStake - nextStake,
    claimableStake,
    unclaimedRewards: pool.rewardsPool,
    commissionBps: pool.commissionBps,
    nextCommissionBps: announced?.[1] ?? pool.commissionBps,
    inNextCommittee: standing.selected ? standing.inNextCommittee : undefined,
    facts: {
      commissionChangesAt: announced?.[0],
      earnsUntil: pool.state.kind === 'withdrawing' ? pool.state.at : undefined,
    },
  }
}

function statusOf(
  world: World,
  state: SandboxValidator['pool']['state']['kind'],
  id: string,
  { inCommittee, inNextCommittee }: Standing,
): ValidatorStatus {
  if (state === 'candidate') return 'candidate'
  if (state === 'removed') return 'inactive'
  if (state === 'withdrawing') return inCommittee || inNextCommittee ? 'leaving' : 'inactive'
  if (inCommittee) return 'active'
  return inNextCommittee || holds(world.activeSet, id) ? 'pending' : 'inactive'
}

function claimableByValidator(world: World): ReadonlyMap<string, bigint> {
  const claimable = new Map<string, bigint>()
  for (const token of world.tokens.values()) {
    if (token.withdrawEpoch === undefined || token.withdrawEpoch > world.epoch) continue
    const due = token.principal + rewardsOf(world, token)
    claimable.set(token.validatorId, (claimable.get(token.validatorId) ?? 0n) + due)
  }
  return claimable
}

/** Rewards that a withdrawal would pay, counted up to now or up to the withdraw epoch if that is earlier. */
function rewardsOf(world: World, token: Token): bigint {
  const pool = world.validators.get(token.validatorId)?.pool
  if (pool === undefined || token.activationEpoch > world.epoch) return 0n
  return payableRewards(pool, token, Math.min(token.withdrawEpoch ?? world.epoch, world.epoch))
}

export function viewToken(world: World, { holder: _, ...token }: Token): StakedToken {
  const pool = world.validators.get(token.validatorId)?.pool
  const isActive = token.activationEpoch <= world.epoch
  const shares = pool && isActive ? toShares(rateAt(pool, token.activationEpoch), token.principal) : undefined
  return { ...token, rewards: rewardsOf(world, token), shares }
}

/** The contract records the rate at the end of an epoch under the number of the next one. */
export function viewRecords(world: World, fromEpoch: number): readonly EpochRecord[] {
  const validators = [...world.validators.values()]
  return world.history
    .filter((row) => row.epoch >= fromEpoch)
    .flatMap(({ epoch, endedAt, validators: rows }) =>
      rows.flatMap((row, index) => {
        const validator = validators[index]
        // No records before a validator first joined: it has no past, which differs from a past without rewards.
        if (validator === undefined || !hadJoined(validator, epoch)) return []
        const { tokens, shares } = rateAt(validator.pool, epoch + 1)
        const rate = { tokens, shares }
        return [{ validatorId: validator.id, epoch, endedAt, rate, commissionSource: 'read', ...row }]
      }),
    )
}

const hadJoined = ({ pool: { state } }: SandboxValidator, epoch: number) =>
  'since' in state && epoch >= state.since

/** Ascending by owner, so that new stakes do not shift pages; the cursor is the last owner of the page before. */
export function viewDelegators(
  world: World,
  validatorId: string,
  { after, limit }: { after: string | undefined; limit: number },
): DelegatorPage {
  const byOwner = new Map<string, { staked: bigint; tokens: number }>()
  for (const token of world.tokens.values()) {
    if (token.validatorId !== validatorId || (after !== undefined && token.owner <= after)) continue
    const { staked, tokens } = byOwner.get(token.owner) ?? { staked: 0n, tokens: 0 }
    byOwner.set(token.owner, { staked: staked + token.principal, tokens: tokens + 1 })
  }
  const delegators = [...byOwner].map(([owner, held]) => ({ owner, ...held }))
  const page = delegators.sort((a, b) => (a.owner < b.owner ? -1 : 1)).slice(0, Math.max(1, limit))
  return {
    kind: 'ready',
    delegators: page,
    next: page.length < delegators.length ? page.at(-1)?.owner : undefined,
    isComplete: true,
    listedAt: undefined,
  }
}

/**
 * Of several announced commissions the highest, if it is a raise; else the last. One that fell due while the validator
 * was out of the committee never takes effect.
 */
function announcedCommission({ nextCommissions, commissionBps }: Pool, epoch: number) {
  const coming = [...nextCommissions].filter(([from]) => from > epoch)
  const [highest] = coming.toSorted(([, a], [, b]) => b - a)
  return highest && highest[1] > commissionBps ? highest : coming.at(-1)
}
