import type { SandboxValidator, ValidatorRow, World } from '../world/world.ts'
import { replacePool } from '../world/world.ts'
import { restakeMembers } from './active-set.ts'
import { advancePool, balanceAt, idlePool, withoutOldRates } from './pool.ts'
import { shareRewards } from './rewards.ts'

/** Number of completed epochs to remember. Pruning runs once in `PRUNE_EVERY` epochs. */
export const REMEMBERED_EPOCHS = 400
const PRUNE_EVERY = 50

/** The middle of the epoch: from now on, stakes and withdrawals take one epoch longer. */
export function selectNextCommittee(world: World): void {
  world.nextCommittee = world.activeSet.members.map((member) => member.id)
}

/** Completes the present epoch: rewards, then pending stake, then the next committee takes over. */
export function completeEpoch(
  world: World,
  { reward, missed, endedAt }: { reward: bigint; missed: ReadonlySet<string>; endedAt: number },
): void {
  if (world.nextCommittee === undefined) selectNextCommittee(world)
  const ended = { committee: new Set(world.committee), rows: rowsOf(world, missed) }
  const epoch = world.epoch + 1
  // The founding epoch pays no rewards.
  if (world.epoch > 0) rewardCommittee(world, epoch, reward, missed)

  world.committee = world.nextCommittee ?? []
  world.nextCommittee = undefined
  admitNewMembers(world, epoch)
  world.activeSet = { ...world.activeSet, changes: [] }
  for (const { id, pool } of world.validators.values()) {
    if (!ended.committee.has(id)) replacePool(world, idlePool(pool, world.epoch))
  }
  // The founding epoch has no committee, so it gets no record.
  if (ended.committee.size > 0) {
    world.history = [...world.history, { epoch: world.epoch, endedAt, validators: ended.rows }]
  }
  world.epoch = epoch
  world.epochStartedAt = endedAt
  if (world.history.length > REMEMBERED_EPOCHS + PRUNE_EVERY) forgetOldEpochs(world)
}

function rewardCommittee(world: World, epoch: number, reward: bigint, missed: ReadonlySet<string>): void {
  const pot = world.pot + reward
  world.ledger = { ...world.ledger, rewards: world.ledger.rewards + reward }
  const { shares } = shareRewards(pot, world.committee, missed)
  const stakes = new Map<string, bigint>()
  let left = pot
  for (const id of world.committee) {
    const validator = world.validators.get(id)
    if (validator === undefined) continue
    // Rewards of an empty pool could never be withdrawn, so they stay in the pot.
    const share = validator.pool.balance > 0n ? (shares.get(id) ?? 0n) : 0n
    left -= share
    const pool = advancePool(validator.pool, share, epoch)
    replacePool(world, pool)
    stakes.set(id, balanceAt(pool, epoch))
  }
  world.activeSet = restakeMembers(world.activeSet, stakes)
  world.pot = left
}

function admitNewMembers(world: World, epoch: number): void {
  for (const id of world.committee) {
    const pool = world.validators.get(id)?.pool
    if (pool === undefined || !('since' in pool.state) || pool.state.since !== epoch) continue
    replacePool(world, advancePool(pool, 0n, epoch))
  }
}

function rowsOf(world: World, missed: ReadonlySet<string>): readonly ValidatorRow[] {
  const committee = new Set(world.committee)
  return [...world.validators.values()].map(({ id, pool }) => ({
    stake: balanceAt(pool, world.epoch),
    commissionBps: pool.commissionBps,
    // Undefined outside the committee: the validator has no duty there.
    performed: committee.has(id) ? !missed.has(id) : undefined,
  }))
}

function forgetOldEpochs(world: World): void {
  const from = world.epoch - REMEMBERED_EPOCHS
  world.history = world.history.filter((row) => row.epoch >= from)
  const needed = activationsByValidator(world)
  for (const { id, pool } of world.validators.values()) {
    replacePool(world, withoutOldRates(pool, from, needed.get(id) ?? []))
  }
}

function activationsByValidator(world: World): ReadonlyMap<string, ReadonlySet<number>> {
  const needed = new Map<SandboxValidator['id'], Set<number>>()
  for (const { validatorId, activationEpoch, withdrawEpoch } of world.tokens.values()) {
    const epochs = needed.get(validatorId) ?? new Set()
    epochs.add(activationEpoch)
    if (withdrawEpoch !== undefined) epochs.add(withdrawEpoch)
    needed.set(validatorId, epochs)
  }
  return needed
}
