import { act } from '../../../data/account/act.ts'
import type { Approval } from '../../../data/account/approvals.ts'
import { showTitle } from '../../focus.ts'
import { formatDateTime } from '../../format.ts'
import { Confirm } from '../../forms/confirm.ts'
import { h, html, type View } from '../../html.ts'
import { nameText } from '../../validator-link.ts'
import type { Names } from '../validator-names.ts'
import { wishText } from './approval-text.ts'

type Props = {
  readonly agent: { readonly id: string; readonly name: string }
  readonly approval: Approval
  readonly names: Names
  /** Part of the buttons' accessible names, if a page shows several approvals. */
  readonly about?: string
}

/** Buttons to approve and refuse, each with its effect; nothing once the approval cannot be decided any more. */
export function DecideApproval({ agent, approval, names, about }: Props): View {
  const { approvalId, state, expiresAt } = approval
  const decide = (decision: 'approve' | 'refuse') => async () => {
    await act((client) => client.decideApproval({ id: agent.id, approvalId, decision }))
    showTitle()
  }
  if (state !== 'waiting' && state !== 'approved') return null
  const name = html`<strong>${nameText(agent.name)}</strong>`
  const named = about === undefined ? {} : { about }
  return html`<div class="actions-list">
    ${
      state === 'waiting' &&
      h(Confirm, {
        label: 'Approve',
        ...named,
        kind: 'primary',
        effect: html`${name} may ${wishText(approval, names)}, exactly this and once, until ${formatDateTime(Date.parse(expiresAt))}. It is checked against the policy again when it is built. ${approval.sender === null ? 'A wallet' : html`The wallet <span class="id" data-whole="true">${approval.sender}</span>`} still has to sign it.`,
        confirm: 'Approve it now',
        run: decide('approve'),
      })
    }
    ${h(Confirm, {
      label: state === 'approved' ? 'Refuse after all' : 'Refuse',
      ...named,
      kind: 'danger',
      effect: html`Nothing is built, and this stays refused. ${name} can ask again.`,
      confirm: 'Refuse it now',
      run: decide('refuse'),
    })}
  </div>`
}
