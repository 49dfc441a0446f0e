import type { ChainSnapshot, StakedToken, StakingAction } from '#ports/chain/staking-chain.ts'
import type { NetworkView } from '../../network/network-view.ts'
import {
  epochsUntilActive,
  hasTwoSteps,
  membershipOf,
  type WithdrawalPath,
  withdrawalPath,
} from '../epoch-rules.ts'
import { setRefusing } from '../set-removal.ts'
import { stakeWarnings, type Warning } from './stake-warnings.ts'
import * as refuse from './transaction-refusals.ts'
import { payoutSummary, requestSummary, stakeSummary } from './transaction-summary.ts'

/** One action that the chain would accept now, and its effects. */
export type PlannedAction = {
  readonly action: StakingAction
  /** The epoch in which the stake is active, or the funds are available. */
  readonly epoch: number
  readonly summary: string
  readonly warnings: readonly Warning[]
  /** The stake or principal that moves. `owner` and `token` are undefined for a stake, which has no token yet. */
  readonly moved: {
    readonly validatorId: string
    readonly amount: bigint
    readonly owner: string | undefined
    readonly token: { readonly id: string; readonly principal: bigint } | undefined
    /** For a join: the tokens that are merged into `token`. */
    readonly joinedIds?: readonly string[] | undefined
  }
  /** Stake that leaves its validator, rewards included. */
  readonly leaving: { readonly validatorId: string; readonly amount: bigint } | undefined
}

export type StakeRequest = { readonly validatorId: string; readonly amount: bigint }
export type UnstakeRequest = {
  readonly stakedTokenId: string
  readonly amount: bigint | undefined
  readonly sender: string | undefined
}
export type WithdrawRequest = Omit<UnstakeRequest, 'amount'>

export function planStake(view: NetworkView, { validatorId, amount }: StakeRequest): PlannedAction {
  const { snapshot } = view
  const validator = view.byId.get(validatorId)?.validator
  if (!validator) throw refuse.unknownValidator()
  if (validator.status === 'leaving' || validator.status === 'inactive') {
    throw refuse.takesNoStake(validator)
  }
  if (amount < snapshot.token.minStake) throw refuse.belowMinimum(snapshot)
  const epoch = snapshot.epoch.number + epochsUntilActive(snapshot)
  return {
    action: { kind: 'stake', validatorId, amount },
    epoch,
    summary: stakeSummary(snapshot, validator, amount, epoch),
    warnings: stakeWarnings(snapshot, validator),
    moved: { validatorId, amount, owner: undefined, token: undefined },
    leaving: undefined,
  }
}

/** Plans a withdrawal instead of a request if the stake can be paid out now: the chain refuses a request for it. */
export function planUnstake(
  view: NetworkView,
  found: StakedToken | undefined,
  request: UnstakeRequest,
): PlannedAction {
  const { snapshot } = view
  const { sender } = request
  const { token, path } = checkToken(view, found, sender)
  if (path.kind === 'wait') {
    const isRequested = token.withdrawEpoch !== undefined
    throw (isRequested ? refuse.alreadyRequested : refuse.boundToNewcomer)(path.atEpoch, snapshot, {
      token,
      sender,
    })
  }
  if (token.withdrawEpoch !== undefined) throw refuse.alreadyDue({ token, sender })
  const { stakedTokenId } = request
  const amount = partOf(token, request.amount, snapshot)
  const principal = amount ?? token.principal
  const leaving = leavingWith(token, principal)
  checkSet(view, leaving, 'amount')
  const isPaidNow = path.kind === 'withdraw_now'
  return {
    action: { kind: isPaidNow ? 'withdraw' : 'unstake', stakedTokenId, amount },
    epoch: isPaidNow ? snapshot.epoch.number : path.atEpoch,
    summary: isPaidNow
      ? payoutSummary(snapshot, token, principal)
      : requestSummary(snapshot, token, view.byId.get(token.validatorId)?.validator, {
          amount: principal,
          epoch: path.atEpoch,
        }),
    warnings: [],
    moved: movedOf(token, principal),
    leaving,
  }
}

export function planWithdraw(
  view: NetworkView,
  found: StakedToken | undefined,
  { stakedTokenId, sender }: WithdrawRequest,
): PlannedAction {
  const { snapshot } = view
  const { token, path } = checkToken(view, found, sender)
  if (path.kind === 'wait') {
    const isRequested = token.withdrawEpoch !== undefined
    throw (isRequested ? refuse.tooEarly : refuse.boundToNewcomer)(path.atEpoch, snapshot, { token, sender })
  }
  if (path.kind === 'request') throw refuse.notRequested(path.atEpoch, snapshot, { token, sender })
  const leaving = token.withdrawEpoch === undefined ? leavingWith(token, token.principal) : undefined
  if (leaving) checkSet(view, leaving, 'stakedTokenId')
  return {
    action: { kind: 'withdraw', stakedTokenId, amount: undefined },
    epoch: snapshot.epoch.number,
    summary: payoutSummary(snapshot, token, token.principal),
    warnings: [],
    moved: movedOf(token, token.principal),
    leaving,
  }
}

function checkToken(view: NetworkView, token: StakedToken | undefined, sender: string | undefined) {
  if (!token) throw refuse.unknownToken(sender)
  if (sender !== undefined && sender !== token.owner) throw refuse.notTheOwner(token)
  return { token, path: pathOf(token, view) }
}

const movedOf = ({ id, validatorId, owner, principal }: StakedToken, amount: bigint) => ({
  validatorId,
  amount,
  owner,
  token: { id, principal },
})

/** The stake that leaves the pool with a part of the principal, which includes the part's rewards. */
const leavingWith = ({ validatorId, rewards, principal }: StakedToken, part: bigint) => ({
  validatorId,
  amount: part + (rewards * part) / principal,
})

function checkSet(
  { snapshot, byId }: NetworkView,
  { validatorId, amount }: { readonly validatorId: string; readonly amount: bigint },
  field: 'amount' | 'stakedTokenId',
): void {
  const validator = byId.get(validatorId)?.validator
  const refusal = validator && setRefusing(snapshot, validator, amount)
  if (refusal) throw refuse.setRefuses(field, refusal, snapshot)
}

function pathOf(token: StakedToken, { snapshot, byId }: NetworkView): WithdrawalPath {
  const validator = byId.get(token.validatorId)?.validator
  // Sui lists only its committee, but with one-step withdrawal the membership does not matter.
  if (!validator && hasTwoSteps(snapshot.network)) throw refuse.validatorNotSeen()
  return withdrawalPath(token, membershipOf(validator), snapshot)
}

/** The amount to split off, or undefined for the whole token. */
function partOf(token: StakedToken, amount: bigint | undefined, snapshot: ChainSnapshot): bigint | undefined {
  if (amount === undefined || amount === token.principal) return undefined
  if (amount > token.principal) throw refuse.abovePrincipal(token)
  const { minStake } = snapshot.token
  if (amount < minStake || token.principal - amount < minStake) throw refuse.tooSmallParts(snapshot)
  return amount
}
