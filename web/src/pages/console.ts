import { useState } from 'preact/hooks'
import { type Agent, MOST_AGENTS, useAgents } from '../data/account/agents.ts'
import { countByDay } from '../data/account/days.ts'
import type { User } from '../data/account/session.ts'
import { isAdmin, sessionEnded, signOut, useSessionEnd, useUser } from '../data/account/user.ts'
import { useHealth } from '../data/queries.ts'
import { refreshQueries } from '../data/query.ts'
import { setQuery, usePlace } from '../data/router.ts'
import { call } from '../data/service.ts'
import { useStore } from '../data/store.ts'
import { agentBadge, badge } from '../parts/badge.ts'
import { Figure } from '../parts/figure.ts'
import { formatCount, formatDate, formatSpan, plural } from '../parts/format.ts'
import { Field, inputValue } from '../parts/forms/field.ts'
import { newKey } from '../parts/forms/new-key.ts'
import { SignIn } from '../parts/forms/sign-in.ts'
import { h, html, type View } from '../parts/html.ts'
import { stats } from '../parts/stat.ts'
import { describeError, empty, skeleton, whenLoaded } from '../parts/state.ts'
import { type Column, Table } from '../parts/table.ts'
import { Ago } from '../parts/time.ts'
import { nameText } from '../parts/validator-link.ts'
import { dayBars } from '../plots/day-bars.ts'

/** What did my agents do? */
export default function Console(): View {
  const user = useUser()
  const hasEnded = useStore(sessionEnded)
  return html`<div class="page">${user ? h(SignedIn, { user }) : html`<div class="page-head"><div><h1>Console</h1><p class="lede">Your agents: what they may do, what they did, and a way to stop them at once.</p></div></div>${h(SignIn, { hasEnded })}`}</div>`
}

function SignedIn({ user }: { readonly user: User }): View {
  const admin = isAdmin(user)
  const all = admin && usePlace().query.get('agents') === 'all'
  const agents = useAgents(all)
  useSessionEnd(agents)
  const [isNew, setIsNew] = useState(false)
  return html`<div class="page-head"><div><h1>Console</h1><p class="lede row"><bdi>${user.email}</bdi>${admin && badge('admin')}<button type="button" class="link-button" onClick=${signOut}>Sign out</button></p></div>
      <div class="actions"><button type="button" class="button" data-kind="primary" aria-expanded=${isNew} onClick=${() => setIsNew(true)}>Register an agent</button></div></div>
    ${isNew && h(Register, { admin, close: () => setIsNew(false) })}
    ${admin && h(AdminPart, { agents: agents.data, all })}
    ${whenLoaded(
      agents,
      (data) =>
        data.length === 0
          ? html`<div class="card">${empty('No agent is registered with this address yet.', html`<button type="button" class="button" data-kind="primary" onClick=${() => setIsNew(true)}>Register the first one</button>`)}</div>`
          : h(Table<Agent>, {
              label: 'Agents',
              columns: COLUMNS,
              rows: data,
              rowKey: (row: Agent) => row.id,
            }),
      skeleton('100%', '240px'),
    )}`
}

const COLUMNS: readonly Column<Agent>[] = [
  {
    key: 'name',
    head: 'Agent',
    first: 'ascending',
    sort: ({ agentName }) => agentName.toLowerCase(),
    cell: ({ id, agentName }) => html`<a href=${`/console/${id}`}>${nameText(agentName)}</a>`,
  },
  {
    key: 'status',
    head: 'State',
    first: 'ascending',
    sort: ({ status }) => status,
    cell: ({ status }) => agentBadge(status),
  },
  { key: 'tier', head: 'Tier', sort: ({ tier }) => tier, cell: ({ tier }) => tier },
  {
    key: 'key',
    head: 'Key',
    phone: 'hide',
    cell: ({ keyPrefix }) => html`<span class="id">${keyPrefix}…</span>`,
  },
  {
    key: 'limits',
    head: 'Limits per minute / day',
    phone: 'hide',
    align: 'end',
    sort: ({ rateLimits }) => rateLimits.rpd,
    cell: ({ rateLimits }) =>
      html`<span class="number">${formatCount(rateLimits.rpm)} / ${formatCount(rateLimits.rpd)}</span>`,
  },
  {
    key: 'used',
    head: 'Last used',
    phone: 'hide',
    align: 'end',
    sort: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? html`<span class="faint">never</span>` : h(Ago, { at: lastUsedAt }),
  },
  {
    key: 'created',
    head: 'Registered',
    phone: 'hide',
    align: 'end',
    sort: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => h(Ago, { at: createdAt }),
  },
]

const TYPES = ['autonomous', 'assistant', 'bot', 'service', 'other'] as const
const TIERS = ['free', 'builder', 'pro', 'enterprise'] as const
const TIER_TEXTS: Readonly<Record<(typeof TIERS)[number], string>> = {
  free: '10 per minute, 100 a day, the 10 best validators',
  builder: '100 per minute, 1,000 a day, rebalance plans, 25 validators',
  pro: 'all validators, limits set by an admin',
  enterprise: 'all validators, limits set by an admin',
}

function Register({ admin, close }: { readonly admin: boolean; readonly close: () => void }): View {
  const [name, setName] = useState('')
  const [type, setType] = useState<(typeof TYPES)[number]>('autonomous')
  const [tier, setTier] = useState<(typeof TIERS)[number]>('builder')
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [made, setMade] = useState<string | undefined>(undefined)
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setIsBusy(true)
    setProblem(undefined)
    try {
      const { data } = await call((client) =>
        client.registerAgent({
          agentName: name.trim(),
          agentType: type,
          tier,
          ...(admin && email !== '' && { email }),
        }),
      )
      setMade(data.apiKey)
      await refreshQueries('user/agents')
    } catch (error) {
      setProblem(describeError(error))
    }
    setIsBusy(false)
  }
  if (made !== undefined)
    return newKey(
      made,
      'It is active at once and shown this once: the service keeps only its hash. Give it to your agent as X-API-Key.',
      close,
    )
  return html`<form class="card register" onSubmit=${submit} aria-label="Register an agent">
    ${h(Field, { label: 'Name', problem, hint: '1 to 64 characters; shown here and in logs.', children: (props) => html`<input ...${props} class="input" maxlength="64" required value=${name} onInput=${(event: Event) => setName(inputValue(event))} ref=${(element: HTMLInputElement | null) => element && name === '' && element.focus()} />` })}
    ${h(Field, { label: 'Kind', children: (props) => html`<select ...${props} class="select" value=${type} onChange=${(event: Event) => setType(TYPES.find((one) => one === inputValue(event)) ?? 'other')}>${TYPES.map((one) => html`<option value=${one}>${one}</option>`)}</select>` })}
    ${h(Field, { label: 'Tier', hint: TIER_TEXTS[tier], children: (props) => html`<select ...${props} class="select" value=${tier} onChange=${(event: Event) => setTier(TIERS.find((one) => one === inputValue(event)) ?? 'free')}>${TIERS.slice(0, admin ? 4 : 2).map((one) => html`<option value=${one}>${one}</option>`)}</select>` })}
    ${admin && h(Field, { label: 'Owner', hint: 'Left empty: yourself.', children: (props) => html`<input ...${props} class="input" type="email" value=${email} onInput=${(event: Event) => setEmail(inputValue(event).trim())} />` })}
    <div class="row"><button class="button" data-kind="primary" type="submit" disabled=${isBusy}>Register</button><button class="button" type="button" onClick=${close}>Cancel</button></div>
  </form>`
}

const DAYS = 30

function AdminPart({
  agents,
  all,
}: {
  readonly agents: readonly Agent[] | undefined
  readonly all: boolean
}): View {
  const health = useHealth()
  const registered = (agents ?? []).map(({ createdAt }) => ({ at: createdAt, name: 'registrations' }))
  const days = countByDay(registered, Date.now(), DAYS)
  const total = days.reduce((sum, { parts }) => sum + parts.reduce((count, part) => count + part.count, 0), 0)
  return html`<section class="stack admin" aria-label="Service">
    ${stats([
      {
        label: 'Service',
        value: health.data
          ? health.data.status === 'ok'
            ? html`<span class="good">in order</span>`
            : html`<span class="attention">degraded</span>`
          : health.error
            ? html`<span class="bad">not ready</span>`
            : '…',
        note: health.data ? `version ${health.data.version}` : '',
      },
      {
        label: 'Network',
        value: health.data?.network ?? '…',
        note: health.data ? `epoch ${health.data.epoch}` : '',
      },
      {
        label: 'Age of the chain data',
        value: health.data ? formatSpan(health.data.dataAgeSeconds * 1000) : '…',
        note: 'transactions need less than a minute',
      },
      {
        label: 'Agents shown',
        value: agents ? formatCount(agents.length) : '…',
        note: agents
          ? `${formatCount(agents.filter(({ status }) => status === 'active').length)} active`
          : '',
      },
    ])}
    <div class="row"><div class="segments" role="group" aria-label="Whose agents"><button type="button" aria-pressed=${!all} onClick=${() => setQuery({ agents: undefined })}>My agents</button><button type="button" aria-pressed=${all} onClick=${() => setQuery({ agents: 'all' })}>Everybody’s</button></div></div>
    ${
      all &&
      html`<div class="card">${h(Figure, {
        title: 'Registrations per day',
        level: 2,
        caption: `${plural(total, 'agent')} registered in ${DAYS} days${(agents?.length ?? 0) >= MOST_AGENTS ? `, counting the newest ${formatCount(MOST_AGENTS)}` : ''}.`,
        table: () => ({
          head: ['Day', 'Registrations'],
          rows: days.toReversed().map(({ at, parts }) => [formatDate(at), formatCount(parts[0]?.count ?? 0)]),
        }),
        children: dayBars(days, ['registrations']),
      })}</div>`
    }
  </section>`
}
