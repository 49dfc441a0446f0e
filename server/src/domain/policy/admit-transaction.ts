import type { Secrets } from '#ports/secrets.ts'
import type { KeptBuild } from '#ports/stores/done-requests.ts'
import type { PolicyRevision } from '#ports/stores/policies.ts'
import type { CountedPart, Reservation, UsableApproval } from '#ports/stores/reservations.ts'
import { CLOCK_STEP_MS } from '../../durations.ts'
import { Fault } from '../../fault.ts'
import type { Allowed } from '../staking/transactions/build-transaction.ts'
import type { ApprovalClaim, ApproveTransaction } from './approvals/approve-transaction.ts'
import {
  type Case,
  findBreaches,
  type HeldAgent,
  type JudgeNeeds,
  openCases,
  type PlannedTransaction,
} from './judge-transaction.ts'
import { policyRefusal } from './policy-refusal.ts'
import { isUnused, shownAmong } from './reservations/unused-reservations.ts'
import { marksOf, SETTLING_MS } from './unseen-builds.ts'

type Needs = JudgeNeeds & {
  readonly secrets: Pick<Secrets, 'newReservationId'>
  readonly approve: ApproveTransaction
}

/** Where no rule looks at what was built before. */
const NO_PART: CountedPart = { spans: {}, builtSince: undefined, latest: Number.MAX_SAFE_INTEGER }

type Intent = Pick<Reservation, 'intentId' | 'expiresAt'>

/** Whoever is overtaken by others more often than this is told to try again. */
const TRIES = 10

/**
 * Lets a planned transaction be built, or refuses it. One that counts against a window is reserved before it is given
 * away, in one step with the last look at what was reserved before: no two get the same room.
 */
export function admitTransactions(needs: Needs) {
  const open = openCases(needs)

  /** Looks whether expired reservations were ever carried out, and frees those that were not. */
  async function makeRoom({ no }: HeldAgent, { senders, counted }: Case, deadline: AbortSignal) {
    const expired = await needs.reservations.expired(no, {
      spans: Object.values(counted?.spans ?? {}),
      // An address that the agent may choose freely shows nothing of what was signed by another.
      senders,
      expiredBefore: needs.clock.now() - SETTLING_MS,
    })
    const unused: string[] = []
    for (const sender of new Set(expired.flatMap((one) => one.sender ?? []))) {
      const tokens = await needs.chain.stakedTokensOf(sender, deadline)
      const own = expired.filter((one) => one.sender === sender)
      await needs.reservations.markSeen(shownAmong(own, { tokens }))
      unused.push(...own.filter((one) => isUnused(one, { tokens })).map(({ id }) => id))
    }
    await needs.reservations.free(no, unused)
    return unused.length > 0
  }

  /** What a clock that was ahead has dated would count until that time comes; it counts from now instead. */
  async function dateAnew({ no }: HeldAgent): Promise<void> {
    const now = needs.clock.now()
    await needs.reservations.dateAnew(no, now + CLOCK_STEP_MS, now)
  }

  /** What was built before and leaves room; refuses when there is none. */
  async function checkRoom(agent: HeldAgent, found: Case, deadline: AbortSignal): Promise<void> {
    const { breaches, isAhead } = await findBreaches(needs, agent, found)
    if (isAhead) await dateAnew(agent)
    if (breaches.length === 0) return
    const isFull = breaches.every(({ rule }) => rule === 'maxPerWindow')
    if (!isFull || !(await makeRoom(agent, found, deadline))) throw policyRefusal(breaches)
    const left = await findBreaches(needs, agent, found)
    if (left.breaches.length > 0) throw policyRefusal(left.breaches)
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
        part: found.counted ?? NO_PART,
        place: (counted) =>
          found.breaches(counted).length > 0 ? undefined : toReservation(id, found, intent, counted.built),
        kept,
        approval: found.approval,
      })
      if (outcome.kind === 'reserved') return
      if (outcome.kind === 'policy_changed') break
      // Says why it cannot be used any more.
      if (outcome.kind === 'not_approved' && found.approval)
        await needs.approve(agent.no, found.wish, claimOf(found.approval.id, found))
      await checkRoom(agent, found, deadline)
    }
    throw new Fault('store_not_ready', 'The policy of this agent is being changed or used. Try again.', {
      retryAfterSeconds: 1,
    })
  }

  return async (
    agent: HeldAgent,
    transaction: PlannedTransaction,
    deadline: AbortSignal,
  ): Promise<Allowed | undefined> => {
    const found = await open(agent, transaction, deadline)
    const { policy, counted } = found
    if (!policy) return undefined
    await checkRoom(agent, found, deadline)
    const { approvalId } = transaction
    const { approvalReason: reason } = found
    const claim = approvalId === undefined ? reason && { reason } : claimOf(approvalId, found)
    const approval = claim && (await needs.approve(agent.no, found.wish, claim))
    return {
      policyHash: policy.hash,
      reserve:
        !counted && !approval
          ? undefined
          : (intentId, expiresAt, kept) =>
              reserve(agent, { ...found, policy, approval }, { intentId, expiresAt, kept }, deadline),
    }
  }
}

export type AdmitTransaction = ReturnType<typeof admitTransactions>

/** An approval that is named is looked at, whether one is needed or not. */
const claimOf = (approvalId: string, { approvalReason }: Case): ApprovalClaim => ({
  approvalId,
  isNeeded: approvalReason !== undefined,
})

function toReservation(
  id: string,
  { wish, now, epoch, tokens }: Case,
  intent: Intent,
  built: readonly Reservation[],
): Reservation {
  const items = wish.items.map(({ action, validatorId, amount, token, joinedIds }) => ({
    action,
    validatorId,
    amount,
    token,
    ...(joinedIds && { joinedIds }),
    ...(token || !tokens
      ? { alike: undefined }
      : marksOf({ validatorId, amount }, { sender: wish.sender, epoch, tokens, built, now })),
  }))
  return { id, ...intent, at: now, epoch, sender: wish.sender, items, isSeen: false }
}

/** Gives back what a transaction that will not be signed has reserved. May be repeated. */
export function releaseReservation({ reservations, chain }: Pick<Needs, 'reservations' | 'chain'>) {
  return async ({ no }: HeldAgent, intentId: string, deadline: AbortSignal): Promise<void> => {
    const found = await reservations.ofIntent(no, intentId)
    if (found.length === 0) throw notFound()
    const counting = found.filter(({ isFree }) => !isFree)
    if (counting.some(({ isSeen }) => isSeen)) throw isCarriedOut()
    const sender = counting[0]?.sender
    if (sender !== undefined) {
      const tokens = await chain.stakedTokensOf(sender, deadline)
      await reservations.markSeen(shownAmong(counting, { tokens }))
      if (!counting.every((one) => isUnused(one, { tokens }))) throw isCarriedOut()
    }
    await reservations.free(
      no,
      counting.map(({ id }) => id),
    )
  }
}

const notFound = () => {
  const fix =
    'Take `intentId` of the answer that built it. Without a rule about amounts in its policy, nothing is reserved and there is nothing to give back.'
  return new Fault(
    'not_found',
    `This agent has no transaction with this id that counts against a window. ${fix}`,
    { fix },
  )
}

function isCarriedOut(): Fault {
  const message =
    'names a transaction that the chain shows as carried out, or a stake that may be from it, so it goes on counting'
  return new Fault('invalid_input', `\`intentId\` ${message}.`, {
    details: [{ field: 'intentId', message }],
  })
}
