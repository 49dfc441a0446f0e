import type { TokenInfo } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { Digest } from '#ports/digest.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Approval, ApprovalReason, Approvals } from '#ports/stores/approvals.ts'
import type { UsableApproval } from '#ports/stores/reservations.ts'
import { Fault } from '../../../fault.ts'
import { NOTICES, type Notify } from '../../agents/notices.ts'
import type { Wish } from '../wish.ts'
import { approvalState } from './approval-state.ts'
import { describeWish, toApprovalWish } from './approval-wish.ts'

type Needs = {
  readonly approvals: Pick<Approvals, 'ask' | 'find'>
  readonly clock: Clock
  readonly digest: Digest
  readonly secrets: Pick<Secrets, 'newApprovalId'>
  readonly notify: Notify
  /** The page on which the owner decides. */
  readonly pageOf: (agentId: string, approvalId: string) => string
  readonly token: () => TokenInfo
  readonly rules: { readonly approvalMs: number; readonly mostWaiting: number }
}

/** Either the id of an approval (needed or not), or the reason why one is needed. */
export type ApprovalClaim =
  | { readonly approvalId: string; readonly isNeeded: boolean }
  | { readonly reason: ApprovalReason }

/** Nothing is built yet: the owner must approve first. */
export class AwaitsApproval extends Error {
  readonly approval: Approval

  constructor(approval: Approval) {
    super('the owner of the agent must approve first')
    this.name = 'AwaitsApproval'
    this.approval = approval
  }
}

/**
 * Requests an approval of the wish, or checks that the named one is for exactly this wish. It is used up in the
 * step that makes the reservation, even if no rule needs it any more and it is undecided.
 */
export function approveTransactions(needs: Needs) {
  const { approvals, clock, digest, secrets, notify, pageOf, token, rules } = needs

  async function ask(agentNo: number, wish: Wish, reason: ApprovalReason): Promise<never> {
    const now = clock.now()
    const id = secrets.newApprovalId()
    const expiresAt = now + rules.approvalMs
    const description = describeWish(wish, token())
    const asked = await approvals.ask(
      agentNo,
      { id, wish: toApprovalWish(digest, wish), reason, createdAt: now, expiresAt },
      {
        mostWaiting: rules.mostWaiting,
        notice: (agent) =>
          notify(
            agent,
            NOTICES.approvalWaits(agent, {
              id,
              description,
              page: pageOf(agent.id, id),
              until: new Date(expiresAt),
            }),
            now,
          ),
      },
    )
    if (!asked) throw tooMany(rules.mostWaiting)
    throw new AwaitsApproval(asked)
  }

  return async (agentNo: number, wish: Wish, claim: ApprovalClaim): Promise<UsableApproval> => {
    if ('reason' in claim) return ask(agentNo, wish, claim.reason)
    const { approvalId, isNeeded } = claim
    const found = await approvals.find(agentNo, approvalId)
    if (!found) throw approvalNotFound()
    const { hash } = toApprovalWish(digest, wish)
    if (found.wish.hash !== hash) throw otherWish()
    const state = approvalState(found, clock.now())
    if (state === 'waiting' && isNeeded) throw new AwaitsApproval(found)
    if (state !== 'waiting' && state !== 'approved') throw notUsable(state)
    return { id: approvalId, wishHash: hash, usableIn: isNeeded ? ['approved'] : ['approved', 'waiting'] }
  }
}

export type ApproveTransaction = ReturnType<typeof approveTransactions>

const FIX = 'Build without `approvalId` to ask for a new approval.'

export const approvalNotFound = () =>
  new Fault('not_found', `This agent has no approval with this id. ${FIX}`, { fix: FIX })

function otherWish(): Fault {
  const message = 'is for another transaction: actions, validators, amounts and sender must be the same'
  return new Fault('invalid_input', `\`approvalId\` ${message}. ${FIX}`, {
    details: [{ field: 'approvalId', message }],
    fix: FIX,
  })
}

const REASONS = {
  refused: 'was refused by the owner of the agent',
  used: 'was used already: an approval is for one build',
  expired: 'has expired',
} as const

function notUsable(state: keyof typeof REASONS): Fault {
  return new Fault('forbidden', `The approval ${REASONS[state]}. Nothing was built. ${FIX}`, {
    details: [{ field: 'approvalId', message: REASONS[state] }],
    fix: FIX,
  })
}

function tooMany(most: number): Fault {
  const fix = 'Ask the owner of the agent to decide them, or wait until they expire.'
  return new Fault(
    'forbidden',
    `${most} transactions of this agent wait for approval already, and nothing was built. ${fix}`,
    { fix },
  )
}
