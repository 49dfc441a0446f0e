import { act } from '../../../data/account/act.ts'
import type { Agent } from '../../../data/account/agents.ts'
import { formatDateTime } from '../../format.ts'
import { Confirm } from '../../forms/confirm.ts'
import { h, html, type View } from '../../html.ts'

type Props = {
  readonly agentId: string
  readonly previousKey: NonNullable<Agent['previousKey']>
}

/** A replaced key that still works: until when, and a way to end it now. */
export function PreviousKey({ agentId, previousKey: { id, keyPrefix, expiresAt } }: Props): View {
  const name = html`<span class="id">${keyPrefix}…</span>`
  return html`<section class="notice previous-key" data-tone="attention" aria-label="Old key">
    <p>The old key ${name} still works, until ${formatDateTime(Date.parse(expiresAt))}.</p>
    ${h(Confirm, {
      label: 'End the old key',
      size: 'small',
      kind: 'danger',
      effect: html`The old key ${name} is refused from now on; the new one continues to work. A program that still sends the old one is refused.`,
      confirm: 'End it now',
      run: () => act((client) => client.revokeKey({ id: agentId, keyId: id })),
    })}
  </section>`
}
