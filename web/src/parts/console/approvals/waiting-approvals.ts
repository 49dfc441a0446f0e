import { type ApprovalOfAgent, useAwaitedApprovals } from '../../../data/account/approvals.ts'
import { hasMailbox } from '../../../data/account/mailbox.ts'
import { useUser } from '../../../data/account/user.ts'
import { type Network, useNetwork, useValidators } from '../../../data/queries.ts'
import { approvalPath } from '../../../pages.ts'
import { ExactAmount } from '../../amount.ts'
import { h, html, type View } from '../../html.ts'
import { empty, skeleton, whenLoaded } from '../../state.ts'
import { Ago, Countdown } from '../../time.ts'
import { isolateName, nameText } from '../../validator-link.ts'
import { ListEnd } from '../list-end.ts'
import { type Names, namesOf } from '../validator-names.ts'
import { wishText, wishWords } from './approval-text.ts'
import { DecideApproval } from './decide-approval.ts'

const NOTHING_WAITS = {
  mailed: 'Nothing waits for you. What your agents ask for appears here, and comes by mail.',
  here: 'Nothing waits for you. What your agents ask for appears only here: no mail comes, since a wallet has no mail address.',
} as const

/** The transactions that wait for the user's approval. */
export function WaitingApprovals(): View {
  const waiting = useAwaitedApprovals()
  const isMailed = hasMailbox(useUser()?.name ?? '')
  const network = useNetwork().data
  const names = namesOf(useValidators().data?.data ?? [])
  return whenLoaded(
    waiting,
    (found) =>
      found.length === 0
        ? html`<div class="card">${empty(NOTHING_WAITS[isMailed ? 'mailed' : 'here'])}</div>`
        : html`<ul class="approvals">${found.map((one) => html`<li key=${one.approvalId} class="card stack">${waitingCard(one, names, network)}</li>`)}</ul>${h(ListEnd, { list: waiting, what: 'approvals that wait', which: 'newest' })}`,
    skeleton('100%', '160px'),
  )
}

function waitingCard(approval: ApprovalOfAgent, names: Names, network: Network | undefined): View {
  const { agentId, agentName, approvalId, reason, createdAt, expiresAt } = approval
  const about = `what ${isolateName(agentName)} asks${network ? `: ${wishWords(approval, names, network)}` : ''}`
  return html`<h3 class="wish"><a href=${`/console/${agentId}`}>${nameText(agentName)}</a> wants to ${wishText(approval, names)}</h3>
    <p class="small soft">Asked ${h(Ago, { at: createdAt })}, expires in ${h(Countdown, { until: Date.parse(expiresAt) })}. Its policy asks you above ${h(ExactAmount, { value: reason.limit })}. <a href=${approvalPath(agentId, approvalId)}>Every detail</a></p>
    ${h(DecideApproval, { agent: { id: agentId, name: agentName }, approval, names, about })}`
}
