import { type Agent, MOST_AGENTS } from '../../data/account/agents.ts'
import { VISITOR } from '../../data/account/play-key.ts'
import { setQuery, usePlace } from '../../data/router.ts'
import { formatCount, plural } from '../format.ts'
import { inputValue } from '../forms/field.ts'
import { html, type View } from '../html.ts'
import { empty } from '../state.ts'
import { agentsTable } from './agents-table.ts'
import { registrations } from './registrations.ts'

const STATES = ['active', 'pending_verification', 'suspended', 'revoked', 'expired'] as const

/** Agents of everybody, to be searched. Keys for play that pages made are left out unless asked for. */
export function EverybodysAgents({ agents }: { readonly agents: readonly Agent[] }): View {
  const { query } = usePlace()
  const [words, state] = [query.get('q') ?? '', query.get('state') ?? '']
  const hasVisitors = query.get('visitors') === 'yes'
  const visitors = agents.filter(isVisitor).length
  const shown = agents.filter(
    (one) => (hasVisitors || !isVisitor(one)) && (state === '' || one.status === state) && fits(one, words),
  )
  return html`<div class="card registrations">${registrations(agents)}</div>
    <div class="toolbar" role="search">
      <input class="input" type="search" placeholder="Search by name, owner or key" aria-label="Search by name, owner or key" value=${words} onInput=${(event: Event) => setQuery({ q: inputValue(event) })} />
      <select class="select" aria-label="State" value=${state} onChange=${(event: Event) => setQuery({ state: inputValue(event) })}><option value="">Every state</option>${STATES.map((one) => html`<option value=${one}>${one.replace('_', ' ')}</option>`)}</select>
      ${visitors > 0 && html`<label class="check"><input type="checkbox" checked=${hasVisitors} onChange=${() => setQuery({ visitors: hasVisitors ? undefined : 'yes' })} />${plural(visitors, 'key')} for play of web visitors</label>`}
      <span class="end" role="status">${plural(shown.length, 'agent')}${agents.length >= MOST_AGENTS ? ` of the newest ${formatCount(MOST_AGENTS)}` : ''}</span>
    </div>
    ${shown.length === 0 ? html`<div class="card">${empty('No agent fits.', html`<button type="button" class="button" onClick=${clear}>Clear search and filters</button>`)}</div>` : agentsTable(shown, true)}`
}

const isVisitor = ({ agentName }: Agent): boolean => agentName === VISITOR
const clear = () => setQuery({ q: undefined, state: undefined, visitors: 'yes' })

const fits = ({ agentName, owner, keyPrefix }: Agent, words: string): boolean =>
  [agentName, owner, keyPrefix].some((text) => text.toLowerCase().includes(words.trim().toLowerCase()))
