import { assuredPayout, type Exit } from './held-token.ts'
import type { Schedule } from './schedule.ts'

/** A request to the transaction builder. */
export type BuilderCall =
  /** With `amount`, this much of the principal is split off into a new token first. */
  | { readonly kind: 'unstake'; readonly stakedTokenId: string; readonly amount: bigint | undefined }
  | { readonly kind: 'withdraw'; readonly token: WithdrawnToken }
  | ({ readonly kind: 'stake' } & PlannedStake)
  | { readonly kind: 'stakes'; readonly stakes: readonly PlannedStake[] }

type PlannedStake = { readonly validatorId: string; readonly amount: bigint }

/** A token that is split off gets its id only when the call that splits it is executed. */
type WithdrawnToken =
  | { readonly kind: 'known'; readonly stakedTokenId: string }
  | { readonly kind: 'split_off'; readonly byCall: number }

export type RebalanceCall = {
  readonly order: number
  readonly epoch: number
  readonly call: BuilderCall
  /** The principal whose withdrawal it requests. */
  readonly requested: bigint
  /** The least that executing it pays out: principal and the rewards earned so far. */
  readonly paysOut: bigint
}

type Draft = Omit<RebalanceCall, 'order'> & { readonly splitBy?: Draft }

/** The plan as the builder calls that carry it out, in the order of their epochs: payouts before stakes. */
export function callsOf(
  { exits, due, stakes, needsOneTransaction }: Schedule,
  epoch: number,
): readonly RebalanceCall[] {
  const requests = exits.map((exit) => ({ exit, draft: requestFor(exit, epoch) }))
  const payouts = [
    ...requests.flatMap(({ exit, draft }) => (exit.atEpoch > epoch ? [withdrawalOf(exit, draft)] : [])),
    ...due.map((exit) => withdrawalOf(exit, undefined)),
  ]
  const drafts = [
    ...requests.map(({ draft }) => draft),
    ...payouts,
    ...arrivalsOf(stakes, needsOneTransaction),
  ]
  const inOrder = drafts.toSorted((a, b) => a.epoch - b.epoch)
  return inOrder.map(({ epoch, call, requested, paysOut, splitBy }, index) => ({
    order: index + 1,
    epoch,
    call: splitBy
      ? { kind: 'withdraw', token: { kind: 'split_off', byCall: inOrder.indexOf(splitBy) + 1 } }
      : call,
    requested,
    paysOut,
  }))
}

/** One call for each stake or, if stakes must be made together, one for each batch. */
function arrivalsOf(stakes: Schedule['stakes'], needsOneTransaction: boolean): readonly Draft[] {
  const groups = needsOneTransaction
    ? [...Map.groupBy(stakes, ({ atEpoch, batch = 0 }) => `${atEpoch} ${batch}`).values()]
    : stakes.map((stake) => [stake])
  return groups.flatMap((group): Draft[] => {
    const planned = group.map(({ target, amount }) => ({ validatorId: target.option.validatorId, amount }))
    const [first] = planned
    const epoch = group[0]?.atEpoch
    if (!first || epoch === undefined) return []
    const call: BuilderCall =
      planned.length === 1 ? { kind: 'stake', ...first } : { kind: 'stakes', stakes: planned }
    return [{ epoch, call, requested: 0n, paysOut: 0n }]
  })
}

/** A request to unstake. The builder turns it into a withdrawal if the network pays out at once. */
function requestFor({ part, atEpoch }: Exit, epoch: number): Draft {
  const { stakedTokenId } = part.token
  return {
    epoch,
    call: { kind: 'unstake', stakedTokenId, amount: part.endsToken ? undefined : part.principal },
    ...(atEpoch > epoch
      ? { requested: part.principal, paysOut: 0n }
      : { requested: 0n, paysOut: assuredPayout(part) }),
  }
}

function withdrawalOf({ part, atEpoch }: Exit, request: Draft | undefined): Draft {
  const { stakedTokenId } = part.token
  return {
    epoch: atEpoch,
    call: { kind: 'withdraw', token: { kind: 'known', stakedTokenId } },
    requested: 0n,
    paysOut: assuredPayout(part),
    ...(request && !part.endsToken && { splitBy: request }),
  }
}

/** The sums of a plan in one epoch. All amounts are lower bounds: rewards earned on the way come on top. */
export type PlannedEpoch = {
  readonly epoch: number
  /** Principal whose withdrawal is requested. */
  readonly requested: bigint
  readonly withdrawn: bigint
  readonly restaked: bigint
  /** Coins left in the wallet after the epoch's calls. */
  readonly left: bigint
}

export function timelineOf(calls: readonly RebalanceCall[]): readonly PlannedEpoch[] {
  let left = 0n
  return [...Map.groupBy(calls, ({ epoch }) => epoch)].map(([epoch, inEpoch]) => {
    let [requested, withdrawn, restaked] = [0n, 0n, 0n]
    for (const { call, paysOut, ...asked } of inEpoch) {
      requested += asked.requested
      withdrawn += paysOut
      if (call.kind === 'stake') restaked += call.amount
      if (call.kind === 'stakes') for (const { amount } of call.stakes) restaked += amount
    }
    left += withdrawn - restaked
    return { epoch, requested, withdrawn, restaked, left }
  })
}
