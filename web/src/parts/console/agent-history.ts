import { useAudit } from '../../data/account/agents.ts'
import { h, html, type View } from '../html.ts'
import { skeleton, whenLoaded } from '../state.ts'
import { Ago } from '../time.ts'
import { ACTION_TEXTS, actorText, userText } from './action-text.ts'
import { ListEnd } from './list-end.ts'

/** What was done to the agent, and by whom. */
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
        ({ at, action, actor, via }) =>
          html`<li><span><strong>${actorText(actor, action)}</strong> ${ACTION_TEXTS[action]}.${actor.id !== null && actor.kind === 'user' ? html` <bdi class="soft">${userText(actor.id)}</bdi>` : ''}</span><span class="soft">${via === 'rest' ? '' : `by ${via.toUpperCase()}, `}${h(Ago, { at })}</span></li>`,
      )}</ol>${end}`
    },
    skeleton('100%', '80px'),
  )}</section>`
}
