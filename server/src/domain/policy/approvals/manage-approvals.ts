import type { Clock } from '#ports/clock.ts'
import type { Approval, ApprovalOfAgent, Approvals, Decision, ListedState } from '#ports/stores/approvals.ts'
import { call, type Fault, refusal, wrongField } from '../../../fault.ts'
import { badCursor } from '../../agents/list-agents.ts'
import { agentNotFound, ownScope, requireAdmin, scopeOf } from '../../agents/management-rights.ts'
import { type Manager, recordBy } from '../../agents/manager.ts'
import { NOTICES, type Notify } from '../../agents/notices.ts'
import { readNumberCursor } from '../number-cursor.ts'
import { type ApprovalState, approvalState } from './approval-state.ts'

type Needs = {
  readonly approvals: Pick<Approvals, 'list' | 'read' | 'listByState' | 'decide'>
  readonly clock: Clock
  readonly notify: Notify
}

/** An approval with its state at a given time. */
export type ApprovalNow = Omit<Approval, 'state'> & { readonly state: ApprovalState }
type ListedApproval = ApprovalNow & Pick<ApprovalOfAgent, 'agent'>

const asOf = <Stored extends Approval>(approval: Stored, now: number) => ({
  ...approval,
  state: approvalState(approval, now),
})

/** Approvals in a state, of all the user's agents; for admins, of all agents. */
export function listByState({ approvals, clock }: Pick<Needs, 'approvals' | 'clock'>) {
  return async (
    { user }: Pick<Manager, 'user'>,
    query: {
      readonly state: ListedState
      readonly all: boolean
      readonly cursor: string | undefined
      readonly limit: number
    },
  ): Promise<{ readonly approvals: readonly ListedApproval[]; readonly next: string | null }> => {
    const { state, all, cursor: after, limit } = query
    if (all) requireAdmin(user, 'see the approvals of everybody')
    const scope = all ? ({ kind: 'everybody' } as const) : ownScope(user)
    if (!scope) return { approvals: [], next: null }
    const now = clock.now()
    const page = await approvals.listByState(scope, { state, now, after, limit })
    if (!page) throw badCursor()
    const found = page.approvals.map((approval) => asOf(approval, now))
    return { approvals: found, next: page.isLast ? null : (found.at(-1)?.id ?? null) }
  }
}

export function readApproval({ approvals, clock }: Pick<Needs, 'approvals' | 'clock'>) {
  return async (
    { user }: Pick<Manager, 'user'>,
    agentId: string,
    approvalId: string,
  ): Promise<ApprovalNow> => {
    const scope = scopeOf(user)
    const read = scope && (await approvals.read(scope, agentId, approvalId))
    if (!read || read.kind === 'no_agent') throw agentNotFound()
    if (read.kind === 'no_approval') throw notFound(approvalId, read.movedTo)
    return asOf(read.approval, clock.now())
  }
}

export function listApprovals({ approvals, clock }: Pick<Needs, 'approvals' | 'clock'>) {
  return async (
    { user }: Pick<Manager, 'user'>,
    agentId: string,
    { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
  ): Promise<{ readonly approvals: readonly ApprovalNow[]; readonly next: string | null }> => {
    const scope = scopeOf(user)
    const found = scope && (await approvals.list(scope, agentId, { before: readNumberCursor(cursor), limit }))
    if (!found) throw agentNotFound()
    const now = clock.now()
    const last = found.at(-1)?.no ?? 1
    return {
      approvals: found.map((approval) => asOf(approval, now)),
      next: found.length < limit || last === 1 ? null : String(last),
    }
  }
}

const ACTION_OF = { approved: 'approve-transaction', refused: 'refuse-transaction' } as const

/** Records the owner's decision, which is in force from its commit on, on every instance. */
export function decideApproval({ approvals, clock, notify }: Needs) {
  return async (
    manager: Manager,
    agentId: string,
    approvalId: string,
    state: Decision['state'],
  ): Promise<ApprovalNow> => {
    const { user } = manager
    const scope = scopeOf(user)
    if (!scope) throw agentNotFound()
    const now = clock.now()
    const record = recordBy(manager, {
      actions: [ACTION_OF[state]],
      at: now,
      notice: (agent) => notify(agent, NOTICES.decideApproval(agent, approvalId, state, user.role), now),
    })
    const decision = { state, at: now, by: { id: user.id, role: user.role } }
    const outcome = await approvals.decide(scope, agentId, approvalId, decision, record)
    if (outcome.kind === 'no_agent') throw agentNotFound()
    if (outcome.kind === 'no_approval') throw notFound(approvalId, outcome.movedTo)
    if (outcome.kind === 'revoked') throw agentRevoked()
    if (outcome.kind === 'settled') throw settled(approvalState(outcome.approval, now))
    return asOf(outcome.approval, now)
  }
}

/** The link in a mail names the agent that asked, which may have been replaced since. */
function notFound(approvalId: string, movedTo: string | undefined): Fault {
  if (movedTo === undefined) {
    return refusal(
      'not_found',
      'The agent has no approval with this id.',
      `${call('listApprovals')} lists those it has.`,
      { next: { endpoint: 'listApprovals' } },
    )
  }
  return refusal(
    'not_found',
    'The approval has passed to another agent, with its mandate.',
    `Read and decide it there: it is the same, with the agent ${movedTo}.`,
    { next: { endpoint: 'readApproval', given: { id: movedTo, approvalId } } },
  )
}

const agentRevoked = (): Fault =>
  wrongField(
    'decision',
    'must not be `approve`: the agent is revoked for good, and nothing is built for it any more',
  )

function settled(state: ApprovalState): Fault {
  const message = `comes too late: the approval is ${state}`
  return refusal('invalid_input', `\`decision\` ${message}.`, 'The agent can ask for a new one.', {
    details: [{ field: 'decision', message }],
  })
}
