import { type ApprovalOfAgent, type ListedState, useApprovalsIn } from '../../../data/account/approvals.ts'
import { useValidators } from '../../../data/queries.ts'
import { setQuery } from '../../../data/router.ts'
import { approvalPath } from '../../../pages.ts'
import { h, html, type View } from '../../html.ts'
import { empty, skeleton, whenLoaded } from '../../state.ts'
import { Ago } from '../../time.ts'
import { nameText } from '../../validator-link.ts'
import { userText } from '../action-text.ts'
import { ListEnd } from '../list-end.ts'
import { type Names, namesOf } from '../validator-names.ts'
import { approvalBadge, wishText } from './approval-text.ts'
import { WaitingApprovals } from './waiting-approvals.ts'

/** The states to list, each with the text for an empty list. */
const STATES = {
  waiting: { label: 'Waiting', none: 'Nothing waits for a decision.' },
  approved: { label: 'Approved', none: 'Nothing is approved and not built yet.' },
  refused: { label: 'Refused', none: 'Nothing was refused in the last months.' },
  used: { label: 'Built', none: 'Nothing was built with an approval in the last months.' },
  expired: { label: 'Expired', none: 'Nothing has expired in the last months.' },
  decided: { label: 'All decided', none: 'Nothing was decided or has expired in the last months.' },
} as const satisfies Readonly<Record<ListedState, object>>

const isState = (text: string): text is ListedState => text in STATES
export const LISTED_STATES = Object.keys(STATES).filter(isState)

type Props = {
  readonly state: ListedState
  /** Of agents of everybody; for admins. */
  readonly all: boolean
  readonly admin: boolean
}

/** Approvals of all agents by their state; those that wait for the user can be decided at once. */
export function ApprovalsView({ state, all, admin }: Props): View {
  return html`<section aria-labelledby="approvals-title"><h2 id="approvals-title">Approvals</h2><p class="lede">Transactions above the amount that a policy lets through unseen. Nothing is built until you approve, and an approval can be taken back until it is used.</p>
    <div class="toolbar"><div class="segments" role="group" aria-label="State">${LISTED_STATES.map((one) => html`<button type="button" aria-pressed=${state === one} onClick=${() => setQuery({ state: one === 'waiting' ? undefined : one })}>${STATES[one].label}</button>`)}</div>
      ${admin && html`<div class="segments" role="group" aria-label="Whose agents"><button type="button" aria-pressed=${!all} onClick=${() => setQuery({ whose: undefined })}>Mine</button><button type="button" aria-pressed=${all} onClick=${() => setQuery({ whose: 'all' })}>Everybody’s</button></div>`}</div>
    ${state === 'waiting' && !all ? h(WaitingApprovals, {}) : h(ApprovalList, { state, all })}</section>`
}

function ApprovalList({ state, all }: Pick<Props, 'state' | 'all'>): View {
  const approvals = useApprovalsIn(state, all)
  const names = namesOf(useValidators().data?.data ?? [])
  return whenLoaded(
    approvals,
    (found) =>
      found.length === 0
        ? html`<div class="card">${empty(STATES[state].none)}</div>`
        : html`<ol class="done-list">${found.map((one) => html`<li key=${one.approvalId}>${approvalRow(one, names)}</li>`)}</ol>${h(ListEnd, { list: approvals, what: 'approvals', which: 'newest' })}`,
    skeleton('100%', '160px'),
  )
}

function approvalRow(approval: ApprovalOfAgent, names: Names): View {
  const { agentId, agentName, approvalId, state, createdAt, decidedAt, decidedBy } = approval
  const who = decidedBy && decidedBy.id !== null && html` by <bdi>${userText(decidedBy.id)}</bdi>`
  return html`<span>${approvalBadge(state)} <a href=${`/console/${agentId}`}>${nameText(agentName)}</a> wanted to ${wishText(approval, names)}. <a href=${approvalPath(agentId, approvalId)}>Every detail</a></span>
    <span class="soft">asked ${h(Ago, { at: createdAt })}${decidedAt !== null && html`, decided ${h(Ago, { at: decidedAt })}`}${who}</span>`
}
