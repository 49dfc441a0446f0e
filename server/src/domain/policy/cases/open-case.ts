import type { StakedToken, StakingChain } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { AgentRecord } from '#ports/stores/admission.ts'
import type { ApprovalReason } from '#ports/stores/approvals.ts'
import type { PolicyRevision, PolicyRule } from '#ports/stores/policies.ts'
import type { Reservation, Reservations, WindowPart, WindowUse } from '#ports/stores/reservations.ts'
import { CLOCK_STEP_MS } from '../../../durations.ts'
import { Fault } from '../../../fault.ts'
import type { NetworkView } from '../../network/network-view.ts'
import { lastEpoch } from '../../staking/intents/intent.ts'
import { expectedCommission } from '../../staking/scoring/reward-pool.ts'
import type { PlannedAction } from '../../staking/transactions/plan-action.ts'
import { approvalReasonOf } from '../approvals/approval-wish.ts'
import { brokenBy } from '../held-policies.ts'
import type { PoliciesInForce } from '../policies-in-force.ts'
import { type ChainEpoch, executableSince, type ReadChainEpoch } from '../reservations/chain-expiry.ts'
import { markExecuted } from '../reservations/mark-executed.ts'
import { allowedUntil } from '../time-rules.ts'
import { UNSETTLED_MS } from '../unseen-builds.ts'
import { isWindowRule, spansOf } from '../window-rules.ts'
import { type Breach, type Facts, NOTHING_BUILT, type Wish, type WishItem } from '../wish.ts'

export type JudgeNeeds = {
  readonly inForce: PoliciesInForce
  readonly reservations: Reservations
  readonly chain: Pick<StakingChain, 'stakedTokensOf'>
  readonly chainEpoch: ReadChainEpoch
  readonly clock: Clock
}

/** A planned transaction, not built yet. */
export type PlannedTransaction = {
  readonly view: NetworkView
  readonly planned: readonly PlannedAction[]
  readonly sender: string | undefined
  readonly isBatch: boolean
  /** The approval that it names; undefined: none. */
  readonly approvalId?: string | undefined
}

export type HeldAgent = Pick<AgentRecord, 'no' | 'policyRevision'>

/** A wish with everything that the agent's rules need to check it. */
export type Case = {
  /** The newest revision; undefined: the agent has no policy. */
  readonly policy: PolicyRevision | undefined
  readonly wish: Wish
  /** The earlier builds to read; undefined: no rule needs them. */
  readonly windowPart: WindowPart | undefined
  /** The sender's tokens, if a rule needs them. */
  readonly tokens: readonly StakedToken[] | undefined
  /** The sender's tokens, if they were read for whatever reason. */
  readonly existing: readonly StakedToken[] | undefined
  /** Why the owner must approve; undefined: no approval is needed. */
  readonly approvalReason: ApprovalReason | undefined
  readonly now: number
  /** The time at which a rule about time forbids builds again. */
  readonly until: number
  readonly epoch: Facts['epoch']
  /** The last epoch in which the chain accepts the transaction. */
  readonly lastEpoch: number | undefined
  /** The senders that a rule allows, and until when it is in force. */
  readonly senders: ReadonlyMap<string, number>
  /** What counts, with earlier builds as they were when the tokens were read. */
  readonly asRead: (windowUse: WindowUse) => WindowUse
  /** The rules that the wish breaks, given the earlier builds; undefined: none. */
  readonly breaches: (windowUse: WindowUse | undefined, roomAt?: Facts['roomAt']) => readonly Breach[]
}

const ABOUT_HOLDINGS: ReadonlySet<PolicyRule['rule']> = new Set(['maxShare', 'minValidators'])

/** Rules that depend on the value of a token. */
const ABOUT_AMOUNTS: ReadonlySet<PolicyRule['rule']> = new Set(['maxPerTx', 'maxPerWindow', 'approvalAbove'])

/** Collects the data that the rules need. */
export function openCases({ inForce, reservations, chain, chainEpoch, clock }: JudgeNeeds) {
  const mark = markExecuted({ reservations, chain })
  return async (agent: HeldAgent, transaction: PlannedTransaction, deadline: AbortSignal): Promise<Case> => {
    const now = clock.now()
    const held = await inForce(agent, now)
    const wish = wishOf(transaction)
    const rules = held.map(({ document }) => document.rules)
    const looksAtHoldings = rules.flat().some(({ rule }) => ABOUT_HOLDINGS.has(rule))
    const looksAtTokens =
      wish.items.some(({ token }) => token !== undefined) &&
      rules.flat().some(({ rule }) => ABOUT_AMOUNTS.has(rule) || ABOUT_HOLDINGS.has(rule))
    const { number, startedAt, durationMs } = transaction.view.snapshot.epoch
    const windows = rules.flat().filter(isWindowRule)
    const counts = looksAtHoldings || looksAtTokens || windows.length > 0
    const sighted = counts && wish.sender !== undefined ? await mark(wish.sender, deadline) : undefined
    const facts: Omit<Facts, 'built' | 'used' | 'roomAt'> = {
      now,
      epoch: { number, endsAt: startedAt + durationMs },
      validator: validatorsIn(transaction.view),
      tokens:
        (looksAtHoldings || looksAtTokens) && wish.sender !== undefined
          ? (sighted?.tokens ?? (await chain.stakedTokensOf(wish.sender, deadline)))
          : undefined,
    }
    const asRead = (windowUse: WindowUse): WindowUse => ({
      ...windowUse,
      built: windowUse.built.map((one) => asWhenRead(one, sighted?.unseenIds, now)),
    })
    if (looksAtTokens) refuseChanged(wish, facts.tokens ?? [])
    return {
      policy: held[0],
      wish,
      windowPart: counts
        ? {
            spans: spansOf(windows, { now, epoch: number }),
            builtSince: looksAtHoldings || looksAtTokens ? openSince(chainEpoch(), now) : undefined,
            latest: now + CLOCK_STEP_MS,
          }
        : undefined,
      tokens: facts.tokens,
      existing: sighted?.tokens ?? facts.tokens,
      approvalReason: approvalReasonOf(held, wish),
      now,
      until: allowedUntil(held, now),
      epoch: facts.epoch,
      lastEpoch: lastEpoch(transaction.view),
      senders: sendersOf(held),
      asRead,
      breaches: (windowUse, roomAt) =>
        brokenBy(held, wish, { ...facts, ...builtFacts(windowUse && asRead(windowUse), roomAt) }),
    }
  }
}

/** The time before which all built transactions are settled: executed, or never to be executed. */
const openSince = (chain: ChainEpoch | undefined, now: number): number =>
  Math.min(now - UNSETTLED_MS, chain ? executableSince(chain) : Number.POSITIVE_INFINITY)

/**
 * A reservation that was seen on the chain only after the tokens were read counts as pending, as the tokens lack
 * it.
 */
const asWhenRead = (
  one: Reservation,
  unseenIds: ReadonlySet<string> | undefined,
  now: number,
): Reservation => (one.isSeen && (unseenIds?.has(one.id) || one.at > now) ? { ...one, isSeen: false } : one)

/** Earlier builds are matched against these tokens, so the wish must be planned on the same values. */
function refuseChanged({ items }: Wish, tokens: readonly StakedToken[]): void {
  const isAsPlanned = ({ token }: WishItem) =>
    !token || tokens.some(({ id, principal }) => id === token.id && principal === token.principal)
  if (items.every(isAsPlanned)) return
  throw new Fault('rpc_unavailable', 'A staked token changes while it is looked at. Try again.', {
    retryAfterSeconds: 1,
  })
}

const builtFacts = (
  windowUse: WindowUse | undefined,
  roomAt = NOTHING_BUILT.roomAt,
): Pick<Facts, 'built' | 'used' | 'roomAt'> => ({
  built: windowUse?.built ?? [],
  used: (window) => windowUse?.moved[window] ?? NOTHING_BUILT.used(window),
  roomAt,
})

function sendersOf(held: readonly PolicyRevision[]): ReadonlyMap<string, number> {
  const senders = new Map<string, number>()
  for (const { document, holdsUntil = Number.POSITIVE_INFINITY } of held)
    for (const rule of document.rules)
      if (rule.rule === 'senders')
        for (const sender of rule.allow) senders.set(sender, Math.max(senders.get(sender) ?? 0, holdsUntil))
  return senders
}

function wishOf({ view, planned, sender, isBatch }: PlannedTransaction): Wish {
  return {
    network: view.snapshot.network,
    sender: sender ?? planned.find(({ moved }) => moved.owner !== undefined)?.moved.owner,
    items: planned.map(({ action, moved, leaving }) => ({
      action: action.kind,
      validatorId: moved.validatorId,
      amount: moved.amount,
      leavesStake: leaving !== undefined,
      token: moved.token,
      joinedIds: moved.joinedIds,
    })),
    isBatch,
  }
}

const validatorsIn =
  ({ byId }: NetworkView): Facts['validator'] =>
  (id) => {
    const found = byId.get(id)
    return found && { score: found.score, commission: expectedCommission(found.validator) }
  }
