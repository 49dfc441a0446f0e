import { larger, smaller } from '../../amount.ts'
import type { Outflow } from '../rebalance/flows.ts'
import type { RebalanceProblem, Target } from '../rebalance/problem.ts'
import type { Arrival, WaveStake } from '../rebalance/waves.ts'
import { shareOf } from '../stake-limits.ts'

/**
 * A policy's `maxShare` limits the share of the staked principal at each build. The search counts values instead:
 * rewards of stake that stays are no principal, while rewards of stake that moves become principal.
 */

/** The limit of iterations: after this many the rooms shrink towards nothing, because the targets are too few. */
const MAX_TRIES = 500

type Freed = {
  readonly targets: readonly Target[]
  readonly funds: bigint
  readonly outflows: readonly Outflow[]
}

/**
 * Limits each target so that the policy's share holds exactly, and reduces the funds to the sum of the rooms; a few
 * units may be left over.
 */
export function placeable(problem: RebalanceProblem, freed: Freed): Freed {
  const { principalShare } = problem
  if (principalShare === undefined) return freed
  const stays = stayingPrincipal(problem, freed.outflows)
  const all = sumOf(stays.values())
  const roomsFor = (funds: bigint) =>
    freed.targets.map((target) => {
      const most = shareOf(all + funds, principalShare) - (stays.get(target.option.validatorId) ?? 0n)
      const room = larger(0n, smaller(target.room, most))
      return { ...target, curve: { ...target.curve, cap: Number(room) }, room }
    })
  let { funds } = freed
  let targets = roomsFor(funds)
  // Smaller funds lower each validator's limit in turn: iterate to the fixed point.
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const room = roomIn(targets)
    if (room >= funds) return { ...freed, targets, funds }
    funds = room
    targets = roomsFor(funds)
  }
  return { ...freed, targets, funds: 0n }
}

const roomIn = (targets: readonly Target[]): bigint => sumOf(targets.map(({ room }) => room))

/** The principal that stays with each validator after the outflows. */
export function stayingPrincipal(
  { keeps }: Pick<RebalanceProblem, 'keeps'>,
  outflows: readonly Outflow[],
): ReadonlyMap<string, bigint> {
  const left = new Map(
    outflows.map(({ keep, parts }) => [keep, sumOf(parts.map(({ principal }) => principal))]),
  )
  return new Map(
    keeps.map((keep) => [
      keep.option.validatorId,
      sumOf(keep.tokens.map(({ principal }) => principal)) - (left.get(keep) ?? 0n),
    ]),
  )
}

/** Whether every epoch's stakes keep the share with what is staked by then. */
export function keepsShare(
  stakes: readonly WaveStake<Target>[],
  stays: ReadonlyMap<string, bigint>,
  share: number,
): boolean {
  const held = new Map(stays)
  return [...Map.groupBy(stakes, ({ atEpoch }) => atEpoch).values()].every((wave) => {
    const ids = wave.map(({ target }) => target.option.validatorId)
    for (const [at, { amount }] of wave.entries())
      held.set(ids[at] ?? '', (held.get(ids[at] ?? '') ?? 0n) + amount)
    const most = shareOf(sumOf(held.values()), share)
    return ids.every((id) => (held.get(id) ?? 0n) <= most)
  })
}

/** Delays all coins to the epoch of the last arrival. */
export function delayToLastArrival(arrivals: readonly Arrival[]): readonly Arrival[] {
  const atEpoch = Math.max(...arrivals.map((arrival) => arrival.atEpoch))
  return arrivals.map(({ amount }) => ({ atEpoch, amount }))
}

const sumOf = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((sum, amount) => sum + amount, 0n)
