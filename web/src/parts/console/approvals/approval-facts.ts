import type { Approval } from '../../../data/account/approvals.ts'
import { ExactAmount, SmallestUnits } from '../../amount.ts'
import { formatDateTime } from '../../format.ts'
import { h, html, type View } from '../../html.ts'
import { Id } from '../../id.ts'
import { Ago, Countdown } from '../../time.ts'
import { nameText } from '../../validator-link.ts'
import { userText } from '../action-text.ts'
import type { Names } from '../validator-names.ts'
import { itemText } from './approval-text.ts'

type Props = {
  readonly agent: { readonly id: string; readonly name: string }
  readonly approval: Approval
  readonly names: Names
}

/** Everything that an owner should know before deciding. */
export function approvalFacts({ agent, approval, names }: Props): View {
  const { items, amount, network, sender, reason, createdAt, expiresAt, wishHash, state } = approval
  const { decidedAt, decidedBy, intentId } = approval
  return html`${isInTitle(items) ? null : itemList(items, names)}
  <dl class="facts approval-facts">
    <div><dt>Who asks</dt><dd><a href=${`/console/${agent.id}`}>${nameText(agent.name)}</a> ${h(Id, { id: agent.id, what: 'agent id' })}</dd></div>
    <div><dt>Network</dt><dd>${network}</dd></div>
    ${isInTitle(items) && html`<div><dt>Validator</dt><dd>${h(Id, { id: items[0]?.validatorId ?? '', what: 'id of the validator', whole: true })}</dd></div>`}
    <div><dt>Who signs</dt><dd>${sender === null ? 'not said' : h(Id, { id: sender, what: 'address', whole: true })}</dd></div>
    <div><dt>Moves in all</dt><dd>${h(ExactAmount, { value: amount })}<div class="soft small">${h(SmallestUnits, { value: amount })}</div></dd></div>
    <div><dt>Why you are asked</dt><dd>More than ${h(ExactAmount, { value: reason.limit })} needs your approval<div class="soft small">by revision ${String(reason.revision)} of the policy</div></dd></div>
    <div><dt>Asked</dt><dd>${h(Ago, { at: createdAt })}<div class="soft small">${formatDateTime(Date.parse(createdAt))}</div></dd></div>
    <div><dt>${state === 'expired' ? 'Expired' : 'Expires'}</dt><dd>${state === 'waiting' || state === 'approved' ? html`in ${h(Countdown, { until: Date.parse(expiresAt) })}` : ''}<div class="soft small">${formatDateTime(Date.parse(expiresAt))}</div></dd></div>
    ${decidedAt !== null && html`<div><dt>Decided</dt><dd>${h(Ago, { at: decidedAt })}${decidedBy && html`<div class="soft small">by ${decidedByText(decidedBy)}</div>`}</dd></div>`}
    ${intentId !== null && html`<div><dt>Intent of what was built</dt><dd>${h(Id, { id: intentId, what: 'intent id' })}</dd></div>`}
    <div><dt>Hash of exactly this</dt><dd>${h(Id, { id: wishHash, what: 'hash', whole: true })}</dd></div>
  </dl>`
}

function decidedByText({ id, role }: NonNullable<Approval['decidedBy']>): View {
  const who = role === 'admin' ? 'an admin' : 'its owner'
  return id === null ? who : html`<bdi>${userText(id)}</bdi>${role === 'admin' ? `, ${who}` : ''}`
}

type Items = Approval['items']

/** A single stake takes from no token, so the title describes it fully. */
const isInTitle = (items: Items): boolean => items.length === 1 && items[0]?.stakedTokenId === null

const itemList = (items: Items, names: Names): View =>
  html`<ol class="wish-items">${items.map(
    (item) =>
      html`<li><span class="wish-item">${itemText(item, names)}</span><span class="soft small">${h(SmallestUnits, { value: item.amount })}${item.stakedTokenId === null ? '' : html` · from the staked token ${h(Id, { id: item.stakedTokenId, what: 'staked token', whole: true })}`}</span></li>`,
  )}</ol>`
