import { type Agent, type AgentQuery, useAgents } from '../../data/account/agents.ts'
import { VISITOR } from '../../data/account/play-key.ts'
import { oneOf, readParts } from '../../data/address/read-parts.ts'
import { useSettled } from '../../data/asking/ask.ts'
import { setQuery, usePlace } from '../../data/router.ts'
import { AGENT_STATES, wordsOf } from '../../data/words/api-words.ts'
import { unreadParts } from '../address/unread-parts.ts'
import { plural } from '../format.ts'
import { inputValue } from '../forms/field.ts'
import { h, html, type View } from '../html.ts'
import { empty, skeleton, whenLoaded } from '../state.ts'
import { agentsTable } from './agents-table.ts'
import { ListEnd } from './list-end.ts'
import { registrations } from './registrations.ts'

const STATES = wordsOf(AGENT_STATES)

/** The agents of all owners; the service searches. Sandbox keys made by the web app are left out unless asked for. */
export function AllAgents(): View {
  const { query } = usePlace()
  const { read, unread } = readParts(query)
  const words = query.get('q') ?? ''
  const state = read<AgentQuery['status']>(
    'state',
    oneOf(STATES),
    undefined,
    `it takes ${STATES.join(', ')}, and agents of every state are shown`,
  )
  const hasVisitors = read(
    'visitors',
    (text) => text === 'yes' || undefined,
    false,
    'it takes yes, and keys for play are left out',
  )
  const but = hasVisitors ? {} : { exceptName: VISITOR }
  const search = useSettled(words.trim())
  const everybody = useAgents({ all: true, ...but })
  const asked: AgentQuery = {
    all: true,
    ...but,
    ...(search !== '' && { search }),
    ...(state && { status: state }),
  }
  const found = useAgents(asked)
  const isFiltered = search !== '' || state !== undefined
  return html`<div class="card registrations">${whenLoaded(everybody, (agents) => registrations(agents, everybody), skeleton('100%', '200px'))}</div>
    ${unreadParts(unread)}
    <div class="toolbar" role="search">
      <input class="input" type="search" maxlength="128" placeholder="Name, owner, id or key" aria-label="Search by name, owner, id or key" value=${words} onInput=${(event: Event) => setQuery({ q: inputValue(event) })} />
      <select class="select" aria-label="State" value=${state ?? ''} onChange=${(event: Event) => setQuery({ state: inputValue(event) })}><option value="">Every state</option>${STATES.map((one) => html`<option value=${one}>${AGENT_STATES[one]}</option>`)}</select>
      <label class="check"><input type="checkbox" checked=${hasVisitors} onChange=${() => setQuery({ visitors: hasVisitors ? undefined : 'yes' })} />With keys for play of web visitors</label>
      <span class="end" role="status">${found.data && `${plural(found.data.length, 'agent')}${found.hasMore ? ' and more' : ''}`}</span>
    </div>
    ${whenLoaded(found, (agents) => foundTable(agents, isFiltered, hasVisitors), skeleton('100%', '240px'))}
    ${h(ListEnd, { list: found, what: 'agents', which: 'newest' })}`
}

function foundTable(agents: readonly Agent[], isFiltered: boolean, hasVisitors: boolean): View {
  if (agents.length > 0) return agentsTable(agents, true)
  if (isFiltered)
    return html`<div class="card">${empty('No agent fits.', html`<button type="button" class="button" onClick=${clear}>Clear search and filters</button>`)}</div>`
  return html`<div class="card">${
    hasVisitors
      ? empty('No agent is registered yet.')
      : empty(
          'No agent is registered yet, besides keys for play of web visitors.',
          html`<button type="button" class="button" onClick=${showVisitors}>Show these, too</button>`,
        )
  }</div>`
}

const showVisitors = () => setQuery({ visitors: 'yes' })
const clear = () => setQuery({ q: undefined, state: undefined, visitors: 'yes' })
