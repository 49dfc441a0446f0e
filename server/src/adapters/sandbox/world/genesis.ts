import { turnEpoch } from '../chain-time.ts'
import { enterMember } from '../staking/active-set.ts'
import { selectNextCommittee } from '../staking/epoch-change.ts'
import { balanceAt, newPool } from '../staking/pool.ts'
import {
  announceCommission,
  joinSet,
  leaveSet,
  lendCoins,
  payCoins,
  poolOf,
  requestToken,
  stakeCoins,
  withdrawToken,
} from '../staking/validator-set.ts'
import type { Chance } from './chance.ts'
import { chanceFrom } from './chance.ts'
import { emptyWorld } from './empty-world.ts'
import type { Piece, Plan } from './genesis-plan.ts'
import { planWorld } from './genesis-plan.ts'
import type { World } from './world.ts'
import { newId, replacePool } from './world.ts'

export const HISTORY_EPOCHS = 90

const REQUESTS_PER_MILLE = 350
const CLAIMS_PER_MILLE = 150

/** Founds a chain from the seed and runs its past epochs by the normal rules; the last one ends at `now`. */
export function foundWorld(
  seed: number,
  epochMs: number,
  now: number,
  historyEpochs = HISTORY_EPOCHS,
): World {
  const chance = chanceFrom(seed, 'genesis')
  const world = emptyWorld(seed, now - historyEpochs * epochMs)
  const plans = planWorld(chance, historyEpochs, () => newId(world))
  const founded: World = { ...world, rewardsPerYear: yearlyRewards(plans) }
  for (const plan of plans) addValidator(founded, plan)
  actInEpoch(founded, plans, 'early')
  foundCommittee(founded, plans)
  turnEpoch(founded, epochMs, founded.genesisAt)

  for (let epoch = 1; epoch <= historyEpochs; epoch += 1) {
    simulateEpoch(founded, plans, chance)
    turnEpoch(founded, epochMs, founded.genesisAt + epoch * epochMs)
  }
  actInEpoch(founded, plans, 'early')
  requestSome(founded, plans, chance, 3)
  return founded
}

/** The amount that yields 8% a year, compounded and net of commission, for the validator of median stake. */
function yearlyRewards(plans: readonly Plan[]): bigint {
  const members = plans.filter((plan) => plan.joins === 0)
  const middle = members.toSorted((a, b) => Number(a.stake - b.stake))[members.length >> 1]
  if (middle === undefined) return 0n
  const LN_1_08_MILLIONTHS = 76_961n
  const net = BigInt(10_000 - middle.commissionBps)
  const perMember = (middle.stake * LN_1_08_MILLIONTHS * 10_000n) / (1_000_000n * net)
  return perMember * BigInt(members.length)
}

function addValidator(world: World, { id, name, missesPerMille, restless, commissionBps }: Plan): void {
  world.validators.set(id, { id, name, missesPerMille, restless, pool: newPool(id, commissionBps) })
}

/** All founders enter in one epoch: the limit on changes applies from the first epoch on. */
function foundCommittee(world: World, plans: readonly Plan[]): void {
  for (const { id } of plans.filter((plan) => plan.joins === 0)) {
    const pool = poolOf(world, id)
    replacePool(world, { ...pool, state: { kind: 'active', since: 1 } })
    world.activeSet = { ...enterMember(world.activeSet, id, balanceAt(pool, 1)).set, changes: [] }
  }
}

function simulateEpoch(world: World, plans: readonly Plan[], chance: Chance): void {
  actInEpoch(world, plans, 'early')
  if (chance.below(1_000) < REQUESTS_PER_MILLE) requestSome(world, plans, chance, 1)
  claimSome(world, chance)
  selectNextCommittee(world)
  actInEpoch(world, plans, 'late')
}

/** Executes the steps that the plans have for the present epoch, before or after its middle. */
function actInEpoch(world: World, plans: readonly Plan[], half: 'early' | 'late'): void {
  for (const plan of plans) {
    for (const piece of plan.pieces.get(`${world.epoch} ${half}`) ?? []) stakePiece(world, plan.id, piece)
    if (half === 'late') continue
    if (plan.joins === world.epoch && world.epoch > 0) joinSet(world, plan.id)
    if (plan.leaves === world.epoch) leaveSet(world, plan.id)
    if (plan.shrinks === world.epoch) requestLargest(world, plan.id)
    const raise = plan.raises.get(world.epoch)
    if (raise !== undefined) {
      announceCommission(world, plan.id, poolOf(world, plan.id).commissionBps + raise)
    }
  }
}

function stakePiece(world: World, validatorId: string, { owner, amount }: Piece): void {
  if (poolOf(world, validatorId).state.kind === 'withdrawing') return
  lendCoins(world, amount)
  stakeCoins(world, owner, validatorId, amount)
}

/**
 * Requests withdrawals of delegators only: without the operators' stake a validator could fall below the joining
 * stake.
 */
function requestSome(world: World, plans: readonly Plan[], chance: Chance, count: number): void {
  const operators = new Set(plans.map((plan) => plan.operator))
  const committee = new Set(world.committee)
  const candidates = [...world.tokens.values()].filter(
    (token) =>
      !operators.has(token.owner) &&
      token.withdrawEpoch === undefined &&
      token.activationEpoch <= world.epoch &&
      committee.has(token.validatorId),
  )
  for (let asked = 0; asked < count; asked += 1) {
    const [token] = candidates.splice(chance.below(candidates.length), 1)
    if (token !== undefined) requestToken(world, token)
  }
}

function requestLargest(world: World, validatorId: string): void {
  const tokens = [...world.tokens.values()].filter((token) => token.validatorId === validatorId)
  const [largest] = tokens.toSorted((a, b) => Number(b.principal - a.principal))
  if (largest !== undefined) requestToken(world, largest)
}

function claimSome(world: World, chance: Chance): void {
  for (const token of world.tokens.values()) {
    if (token.withdrawEpoch === undefined || token.withdrawEpoch > world.epoch) continue
    if (chance.below(1_000) < CLAIMS_PER_MILLE) payCoins(world, withdrawToken(world, token))
  }
}
