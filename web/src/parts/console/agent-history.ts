import { type AuditEntry, useAudit } from '../../data/account/agents.ts'
import { approvalPath } from '../../pages.ts'
import { formatCount } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { skeleton, whenLoaded } from '../state.ts'
import { Ago } from '../time.ts'
import { actionText, actorText, userText } from './action-text.ts'
import { termsText } from './keys/key-text.ts'
import { ListEnd } from './list-end.ts'

/** The management actions on the agent, with their actors. */
export function AgentHistory({ id }: { readonly id: string }): View {
  const audit = useAudit(id)
  const end = h(ListEnd, { list: audit, what: 'entries of its log', which: 'newest' })
  return html`<section class="section" aria-labelledby="done"><h2 id="done">What was done to it</h2>${whenLoaded(
    audit,
    (entries) => {
      const done = entries.flatMap(({ action, ...entry }) => (action === null ? [] : [{ ...entry, action }]))
      if (done.length === 0)
        return html`<p class="soft">Nothing${audit.hasMore ? ' among these' : ' since it registered itself'}.</p>${end}`
      return html`<ol class="done-list">${done.map(
        ({ at, action, actor, via, key, limits, policy, approvalId }) =>
          html`<li><span><strong>${actorText(actor, action)}</strong> ${actionText({ action, policy })}.${actor.id !== null && actor.kind === 'user' ? html` <bdi class="soft">${userText(actor.id)}</bdi>` : ''}${key && keyView(key)}${limits && limitsView(limits)}${approvalId !== null && html` <a href=${approvalPath(id, approvalId)}>Which one</a>`}</span><span class="soft">${via === 'rest' ? '' : `by ${via.toUpperCase()}, `}${h(Ago, { at })}</span></li>`,
      )}</ol>${end}`
    },
    skeleton('100%', '80px'),
  )}</section>`
}

const keyView = ({ prefix, terms }: NonNullable<AuditEntry['key']>): View =>
  html` <span class="id soft">${prefix}…</span>${terms && html` <span class="soft">${termsText(terms)}</span>`}`

const limitsView = ({ before, after }: NonNullable<AuditEntry['limits']>): View =>
  html` <span class="soft">From ${before === null ? 'those of its tier' : limitsText(before)} to ${limitsText(after)}.</span>`

const limitsText = ({ rpm, rpd }: NonNullable<AuditEntry['limits']>['after']): string =>
  `${formatCount(rpm)} a minute and ${formatCount(rpd)} a day`
