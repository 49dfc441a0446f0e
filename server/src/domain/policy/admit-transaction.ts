import type { Secrets } from '#ports/secrets.ts'
import type { KeptBuild } from '#ports/stores/completed-requests.ts'
import type { PolicyRevision } from '#ports/stores/policies.ts'
import type { Reservation, ReservedItem, UsableApproval, WindowPart } from '#ports/stores/reservations.ts'
import { Fault } from '../../fault.ts'
import type { Allowed } from '../staking/transactions/build-transaction.ts'
import {
  type ApprovalClaim,
  type ApproveTransaction,
  AwaitsApproval,
} from './approvals/approve-transaction.ts'
import { findBreaches } from './cases/find-breaches.ts'
import {
  type Case,
  type HeldAgent,
  type JudgeNeeds,
  openCases,
  type PlannedTransaction,
} from './cases/open-case.ts'
import { policyRefusal } from './policy-refusal.ts'
import { knownOf, recognitionOf } from './unseen-builds.ts'

type Needs = JudgeNeeds & {
  readonly secrets: Pick<Secrets, 'newReservationId'>
  readonly approve: ApproveTransaction
}

/** Placeholder for policies without a rule about earlier builds. */
const NO_PART: WindowPart = { spans: {}, builtSince: undefined, latest: undefined }

type Intent = Pick<Reservation, 'intentId' | 'expiresAt'>

/** The policy changed during the build, which must be checked and built again. */
export class PolicyChanged extends Error {
  /** The current revision; undefined: the agent is revoked. */
  readonly revision: number | undefined

  constructor(revision: number | undefined) {
    super('the policy was changed meanwhile')
    this.name = 'PolicyChanged'
    this.revision = revision
  }
}

export const beingUsed = () =>
  new Fault('store_not_ready', 'The policy of this agent is being changed or used. Try again.', {
    retryAfterSeconds: 1,
  })

/** The limit of attempts if concurrent builds take the room first; then the caller gets a 503. */
const TRIES = 10

/**
 * Admits a planned transaction or refuses it. One that counts against a window is reserved in the same atomic step
 * that checks the window, so no two builds get the same room.
 */
export function admitTransactions(needs: Needs) {
  const open = openCases(needs)
  const find = findBreaches(needs)

  async function checkRoom(agent: HeldAgent, found: Case, deadline: AbortSignal): Promise<void> {
    const breaches = await find(agent, found, deadline)
    if (breaches.length > 0) throw policyRefusal(breaches)
  }

  async function reserve(
    agent: HeldAgent,
    found: Case & { readonly policy: PolicyRevision; readonly approval: UsableApproval | undefined },
    { kept, ...intent }: Intent & { readonly kept: KeptBuild | undefined },
    deadline: AbortSignal,
  ): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const id = found.approval ? `rsv_${found.approval.id}` : needs.secrets.newReservationId()
      const outcome = await needs.reservations.reserve(agent.no, {
        policyRevision: found.policy.revision,
        part: found.windowPart ?? NO_PART,
        at: found.now,
        place: (windowUse) =>
          windowUse.needsRedating || found.breaches(windowUse).length > 0
            ? undefined
            : toReservation(id, found, intent, found.asRead(windowUse).built),
        kept,
        approval: found.approval,
      })
      if (outcome.kind === 'reserved') return
      if (outcome.kind === 'policy_changed') throw new PolicyChanged(outcome.revision)
      // If the approval was used in the meantime, that is the error, even if its own transaction filled the window.
      if (found.approval) await needs.approve(agent.no, found.wish, claimOf(found.approval.id, found))
      await checkRoom(agent, found, deadline)
    }
    throw beingUsed()
  }

  /**
   * An approval is requested only if the wish keeps all other rules; an approval that the caller names is checked
   * first.
   */
  async function approvalFor(
    agent: HeldAgent,
    found: Case,
    approvalId: string | undefined,
    deadline: AbortSignal,
  ): Promise<UsableApproval | undefined> {
    const { wish, approvalReason: reason } = found
    if (approvalId !== undefined)
      try {
        return await needs.approve(agent.no, wish, claimOf(approvalId, found))
      } catch (error) {
        if (error instanceof AwaitsApproval) await checkRoom(agent, found, deadline)
        throw error
      }
    if (!reason) return undefined
    await checkRoom(agent, found, deadline)
    return needs.approve(agent.no, wish, { reason })
  }

  return async (
    agent: HeldAgent,
    transaction: PlannedTransaction,
    deadline: AbortSignal,
  ): Promise<Allowed | undefined> => {
    const found = await open(agent, transaction, deadline)
    const { policy, windowPart } = found
    if (!policy) return undefined
    const approval = await approvalFor(agent, found, transaction.approvalId, deadline)
    // The reservation checks the windows. They are checked here only if the wish is refused anyway.
    if (found.breaches(undefined).length > 0) await checkRoom(agent, found, deadline)
    return {
      policyHash: policy.hash,
      until: found.until,
      reserve:
        !windowPart && !approval
          ? undefined
          : (intentId, expiresAt, kept) =>
              reserve(agent, { ...found, policy, approval }, { intentId, expiresAt, kept }, deadline),
    }
  }
}

export type AdmitTransaction = ReturnType<typeof admitTransactions>

/** A named approval is checked even if none is needed. */
const claimOf = (approvalId: string, { approvalReason }: Case): ApprovalClaim => ({
  approvalId,
  isNeeded: approvalReason !== undefined,
})

function toReservation(id: string, found: Case, intent: Intent, built: readonly Reservation[]): Reservation {
  const { wish, now, epoch, lastEpoch } = found
  const recognise = recognised(found, built)
  const items = wish.items.map(({ action, validatorId, amount, token, joinedIds }) => ({
    action,
    validatorId,
    amount,
    token,
    ...(joinedIds && { joinedIds }),
    lastEpoch,
    ...(token ? { alike: undefined } : recognise({ validatorId, amount })),
  }))
  return { id, ...intent, at: now, epoch: epoch.number, sender: wish.sender, items, isSeen: false }
}

/** How the tokens of the wish's stakes are recognised later, as far as the sender's tokens were read. */
function recognised(
  { wish, now, epoch: { number: epoch }, tokens, existing }: Case,
  built: readonly Reservation[],
): (stake: Pick<ReservedItem, 'validatorId' | 'amount'>) => Pick<ReservedItem, 'alike' | 'knownIds'> {
  if (wish.items.every(({ token }) => token)) return () => ({ alike: undefined })
  if (tokens) return recognitionOf({ sender: wish.sender, epoch, tokens, built, now })
  const knownTo = existing && knownOf({ epoch, tokens: existing })
  return (stake) => ({ alike: undefined, ...knownTo?.(stake) })
}
