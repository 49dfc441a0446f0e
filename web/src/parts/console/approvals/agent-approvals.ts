import { type Approval, useApprovalsOf, useFollowWaiting } from '../../../data/account/approvals.ts'
import { useValidators } from '../../../data/queries.ts'
import { approvalPath } from '../../../pages.ts'
import { h, html, type View } from '../../html.ts'
import { Ago } from '../../time.ts'
import { ListEnd, useFirst } from '../list-end.ts'
import { namesOf } from '../validator-names.ts'
import { approvalBadge, wishText } from './approval-text.ts'

const SHOWN = 10

/** The approvals that the agent has asked for; nothing if there are none. */
export function AgentApprovals({ id }: { readonly id: string }): View {
  useFollowWaiting(id)
  const approvals = useApprovalsOf(id)
  const names = namesOf(useValidators().data?.data ?? [])
  const found = approvals.data ?? []
  const [shown, more] = useFirst(found, SHOWN)
  if (found.length === 0) return null
  const row = (approval: Approval): View =>
    html`<li key=${approval.approvalId}><span>${approvalBadge(approval.state)} <a href=${approvalPath(id, approval.approvalId)}>It wanted to</a> ${wishText(approval, names)}</span><span class="soft">${h(Ago, { at: approval.createdAt })}</span></li>`
  return html`<section class="section" aria-labelledby="approvals"><h2 id="approvals">Approvals</h2>
    <ol class="done-list">${shown.map(row)}</ol>${more}${h(ListEnd, { list: approvals, what: 'approvals', which: 'newest' })}</section>`
}
