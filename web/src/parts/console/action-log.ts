import { useState } from 'preact/hooks'
import { type AuditEntry, useActions, useAgents } from '../../data/account/agents.ts'
import { ACTIONS } from '../../data/words/api-words.ts'
import { shortId } from '../format.ts'
import { inputValue } from '../forms/field.ts'
import { h, html, type View } from '../html.ts'
import { empty, skeleton, whenLoaded } from '../state.ts'
import { type Column, Table } from '../table.ts'
import { whenText } from '../time.ts'
import { nameText } from '../validator-link.ts'
import { actionText, actorText, userText } from './action-text.ts'
import { ListEnd } from './list-end.ts'
import { VerifyLog } from './verify-log.ts'

type Action = NonNullable<AuditEntry['action']>
const isAction = (text: string): text is Action => text in ACTIONS
/** The target of a sign-in, for example, is a user. */
const isAgentId = (target: string): boolean => target.startsWith('agt_')
const KINDS = Object.keys(ACTIONS).filter(isAction)

/** Who did what to which agent, over all agents. */
export function ActionLog(): View {
  const [kind, setKind] = useState<Action | undefined>(undefined)
  const [words, setWords] = useState('')
  const actions = useActions(kind)
  const agents = useAgents({ all: true })
  const names = new Map(agents.data?.map(({ id, agentName }) => [id, agentName]))
  const fits = ({ target, actor, ip }: AuditEntry) =>
    [target, target && names.get(target), actor.id, ip].some((text) =>
      text?.toLowerCase().includes(words.trim().toLowerCase()),
    )
  const pick = (event: Event) => {
    const text = inputValue(event)
    setKind(isAction(text) ? text : undefined)
  }
  return html`<section aria-labelledby="all-actions"><h2 id="all-actions">Management actions</h2><p class="lede">Who did what to which agent, newest first.</p>
    ${h(VerifyLog, {})}<div class="toolbar"><input class="input" type="search" placeholder="Filter by agent, user or address" aria-label="Filter by agent, user or address" value=${words} onInput=${(event: Event) => setWords(inputValue(event))} />
      <select class="select" aria-label="Kind of action" value=${kind ?? ''} onChange=${pick}><option value="">Every action</option>${KINDS.map((one) => html`<option value=${one}>${ACTIONS[one]}</option>`)}</select></div>
    ${whenLoaded(
      actions,
      (entries) => {
        const shown = entries.filter(fits)
        const end = h(ListEnd, {
          list: actions,
          what: kind ? `actions “${ACTIONS[kind]}”` : 'actions',
          which: 'newest',
        })
        if (shown.length === 0)
          return html`<div class="card">${empty(entries.length === 0 ? 'No such action yet.' : 'No action fits the filter.')}</div>${end}`
        return html`${h(Table<AuditEntry>, {
          label: 'Management actions',
          columns: columnsFor(names),
          rows: shown,
          rowKey: (row: AuditEntry) => `${row.at}${row.target}${row.action}`,
        })}${end}`
      },
      skeleton('100%', '240px'),
    )}</section>`
}

const columnsFor = (names: ReadonlyMap<string, string>): readonly Column<AuditEntry>[] => [
  {
    key: 'action',
    head: 'What',
    cell: (entry) => html`${actorText(entry.actor, entry.action)} ${actionText(entry)}`,
  },
  {
    key: 'agent',
    head: 'Agent',
    cell: ({ target }) =>
      target === null || !isAgentId(target)
        ? '–'
        : html`<a href=${`/console/${target}`}>${nameText(names.get(target) ?? shortId(target))}</a>`,
  },
  {
    key: 'actor',
    head: 'Who',
    phone: 'hide',
    cell: ({ actor }) =>
      actor.id === null
        ? html`<span class="faint">not known</span>`
        : html`<bdi class="owner" title=${actor.id}>${userText(actor.id)}</bdi>`,
  },
  { key: 'ip', head: 'From', phone: 'hide', cell: ({ ip }) => html`<span class="id">${ip}</span>` },
  { key: 'via', head: 'Through', phone: 'hide', cell: ({ via }) => via.toUpperCase() },
  {
    key: 'at',
    head: 'When',
    align: 'end',
    cell: ({ at }) => whenText(at),
  },
]
