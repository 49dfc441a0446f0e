import type {
  ChainSnapshot,
  Command,
  StakedToken,
  StakingAction,
  StakingChain,
} from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { NetworkView } from '../../network/network-view.ts'
import {
  epochsUntilActive,
  hasTwoSteps,
  membershipOf,
  nextRuleChange,
  startOfEpoch,
  type WithdrawalPath,
  withdrawalPath,
} from '../epoch-rules.ts'
import { setRefusing } from '../set-removal.ts'
import * as refuse from './transaction-refusals.ts'
import { payoutSummary, requestSummary, stakeSummary } from './transaction-summary.ts'

export type BuiltTransaction = {
  readonly action: StakingAction['kind']
  /** The complete transaction, in order. */
  readonly commands: readonly Command[]
  readonly summary: string
  /** When the stake is active, or the funds can be had. */
  readonly availableAtEpoch: number
  readonly requiresEpochWait: boolean
  readonly availableAt: number
  readonly expiresAt: number
  /** What it rests on. */
  readonly view: NetworkView
}

type Needs = {
  readonly chain: StakingChain
  readonly readConfirmed: (deadline: AbortSignal) => Promise<NetworkView>
  readonly clock: Clock
}

type StakeRequest = { readonly validatorId: string; readonly amount: bigint }
type UnstakeRequest = {
  readonly stakedTokenId: string
  readonly amount: bigint | undefined
  readonly sender: string | undefined
}
type WithdrawRequest = Omit<UnstakeRequest, 'amount'>
type Effect = { readonly epoch: number; readonly summary: string }

/** Parameters are good for this long at most, and never past the next change of the epoch's rules … */
const LIFETIME_MS = 600_000
/** … unless the chain is late with it: then it may come at any moment. */
const OVERDUE_LIFETIME_MS = 60_000

/** Call parameters that the caller signs and submits, built only when the chain would accept them now. */
export function buildTransactions({ chain, readConfirmed, clock }: Needs) {
  function build(view: NetworkView, action: StakingAction, { epoch, summary }: Effect): BuiltTransaction {
    const { snapshot } = view
    const now = clock.now()
    return {
      action: action.kind,
      commands: chain.commandsFor(snapshot, action),
      summary,
      availableAtEpoch: epoch,
      requiresEpochWait: epoch > snapshot.epoch.number,
      availableAt: Math.max(startOfEpoch(snapshot, epoch), now),
      expiresAt: now + lifetime(nextRuleChange(snapshot) - now),
      view,
    }
  }

  async function readStaked({ stakedTokenId, sender }: WithdrawRequest, deadline: AbortSignal) {
    const view = await readConfirmed(deadline)
    const token = await chain.stakedToken(stakedTokenId, deadline)
    if (!token) throw refuse.unknownToken()
    if (sender !== undefined && sender !== token.owner) throw refuse.notTheOwner(token)
    return { view, token, path: pathOf(token, view) }
  }

  return {
    async stake({ validatorId, amount }: StakeRequest, deadline: AbortSignal): Promise<BuiltTransaction> {
      const view = await readConfirmed(deadline)
      const { snapshot } = view
      const validator = view.byId.get(validatorId)?.validator
      if (!validator) throw refuse.unknownValidator()
      if (validator.status === 'leaving' || validator.status === 'inactive') {
        throw refuse.takesNoStake(validator)
      }
      if (amount < snapshot.token.minStake) throw refuse.belowMinimum(snapshot)
      const epoch = snapshot.epoch.number + epochsUntilActive(snapshot)
      const summary = stakeSummary(snapshot, validator, amount, epoch)
      return build(view, { kind: 'stake', validatorId, amount }, { epoch, summary })
    },

    /** What needs no waiting is withdrawn at once: the chain refuses a request for it. */
    async unstake(request: UnstakeRequest, deadline: AbortSignal): Promise<BuiltTransaction> {
      const { view, token, path } = await readStaked(request, deadline)
      const { snapshot } = view
      if (path.kind === 'wait') throw refuse.alreadyRequested(path.atEpoch, snapshot)
      if (token.withdrawEpoch !== undefined) throw refuse.alreadyDue()
      const { stakedTokenId } = request
      const amount = partOf(token, request.amount, snapshot)
      const principal = amount ?? token.principal
      checkSet(view, token, principal, 'amount')
      if (path.kind === 'withdraw now') {
        const summary = payoutSummary(snapshot, token, principal)
        const effect = { epoch: snapshot.epoch.number, summary }
        return build(view, { kind: 'withdraw', stakedTokenId, amount }, effect)
      }
      const summary = requestSummary(snapshot, principal, path.atEpoch)
      return build(view, { kind: 'unstake', stakedTokenId, amount }, { epoch: path.atEpoch, summary })
    },

    async withdraw(request: WithdrawRequest, deadline: AbortSignal): Promise<BuiltTransaction> {
      const { view, token, path } = await readStaked(request, deadline)
      const { snapshot } = view
      if (path.kind === 'wait') throw refuse.tooEarly(path.atEpoch, snapshot)
      if (path.kind === 'request') throw refuse.notRequested(path.atEpoch, snapshot)
      if (token.withdrawEpoch === undefined) checkSet(view, token, token.principal, 'stakedTokenId')
      const action = { kind: 'withdraw', stakedTokenId: request.stakedTokenId, amount: undefined } as const
      const summary = payoutSummary(snapshot, token, token.principal)
      return build(view, action, { epoch: snapshot.epoch.number, summary })
    },
  }
}

/** What leaves the pool with this much of the principal is its part of the rewards, too. */
function checkSet(
  { snapshot, byId }: NetworkView,
  token: StakedToken,
  part: bigint,
  field: 'amount' | 'stakedTokenId',
): void {
  const validator = byId.get(token.validatorId)?.validator
  const leaving = part + (token.rewards * part) / token.principal
  const refusal = validator && setRefusing(snapshot, validator, leaving)
  if (refusal) throw refuse.setRefuses(field, refusal, snapshot)
}

function lifetime(untilRuleChange: number): number {
  return untilRuleChange > 0 ? Math.min(LIFETIME_MS, untilRuleChange) : OVERDUE_LIFETIME_MS
}

function pathOf(token: StakedToken, { snapshot, byId }: NetworkView): WithdrawalPath {
  const validator = byId.get(token.validatorId)?.validator
  // Where one call always pays out, it does not matter where the validator sits; Sui lists only its committee.
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
