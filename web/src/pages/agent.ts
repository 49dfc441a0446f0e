import { useState } from 'preact/hooks'
import { type Agent, type AuditEntry, useAgents, useAudit, useProfile } from '../data/account/agents.ts'
import { commonest, countByDay } from '../data/account/days.ts'
import { isAdmin, sessionEnded, useSessionEnd, useUser } from '../data/account/user.ts'
import { refreshQueries } from '../data/query.ts'
import { call } from '../data/service.ts'
import { useStore } from '../data/store.ts'
import { agentBadge, badge } from '../parts/badge.ts'
import { Figure } from '../parts/figure.ts'
import { formatCount, formatDate, formatDateTime, formatDecimal, plural } from '../parts/format.ts'
import { Confirm } from '../parts/forms/confirm.ts'
import { Field, inputValue } from '../parts/forms/field.ts'
import { newKey } from '../parts/forms/new-key.ts'
import { SignIn } from '../parts/forms/sign-in.ts'
import { h, html, type View } from '../parts/html.ts'
import { Id } from '../parts/id.ts'
import { stats } from '../parts/stat.ts'
import { empty, skeleton, whenLoaded } from '../parts/state.ts'
import { type Column, Table } from '../parts/table.ts'
import { Ago } from '../parts/time.ts'
import { nameText } from '../parts/validator-link.ts'
import { dayBars } from '../plots/day-bars.ts'

const DAYS = 30
const SHOWN_TOOLS = 5

/** One agent: what it did, what it may do, and how to stop it. */
export default function AgentPage({ params }: { readonly params: Readonly<Record<string, string>> }): View {
  const user = useUser()
  const hasEnded = useStore(sessionEnded)
  return html`<div class="page">${user ? h(Details, { id: params['id'] ?? '', admin: isAdmin(user) }) : html`<div class="page-head"><h1>Agent</h1></div>${h(SignIn, { hasEnded })}`}</div>`
}

function Details({ id, admin }: { readonly id: string; readonly admin: boolean }): View {
  const agents = useAgents(admin)
  useSessionEnd(agents)
  return whenLoaded(
    agents,
    (data) => {
      const agent = data.find((one) => one.id === id)
      return agent
        ? h(Found, { agent, admin })
        : empty('You have no agent with this id.', html`<a class="button" href="/console">All agents</a>`)
    },
    skeleton('100%', '320px'),
  )
}

function Found({ agent, admin }: { readonly agent: Agent; readonly admin: boolean }): View {
  const {
    id,
    agentName,
    agentType,
    status,
    tier,
    identityTier,
    rateLimits,
    createdAt,
    lastUsedAt,
    keyPrefix,
    rotatedAt,
  } = agent
  return html`<div class="page-head"><div><a class="crumb" href="/console">Console</a><h1>${nameText(agentName)}</h1>
      <p class="row small">${agentBadge(status)} ${badge(tier)} ${h(Id, { id, what: 'agent id' })}</p></div></div>
    ${stats([
      {
        label: 'Key',
        value: html`<span class="id">${keyPrefix}…</span>`,
        note: rotatedAt === null ? 'never rotated' : html`rotated ${h(Ago, { at: rotatedAt })}`,
      },
      {
        label: 'Limits',
        value: `${formatCount(rateLimits.rpm)} / min`,
        note: `${formatCount(rateLimits.rpd)} a day`,
      },
      {
        label: 'Last used',
        value: lastUsedAt === null ? 'never' : h(Ago, { at: lastUsedAt }),
        note: html`registered ${h(Ago, { at: createdAt })}`,
      },
      { label: 'Known by', value: identityTier.replace('_', ' '), note: `kind: ${agentType}` },
    ])}
    <div class="grid section">
      <section class="card span-8" aria-label="Use">${h(Usage, { id })}</section>
      <section class="card span-4 stack start" aria-labelledby="profile">${h(Profile, { id })}</section>
    </div>
    ${status !== 'revoked' && status !== 'expired' && html`<section class="section" aria-labelledby="actions"><h2 id="actions">Actions</h2><div class="actions-list">${h(Actions, { agent, admin })}</div></section>`}
    ${h(Requests, { id })}`
}

const endpointName = ({ endpoint }: AuditEntry) =>
  endpoint.replace('/api/v1/', '').replace('staking/agent/', '')

function Usage({ id }: { readonly id: string }): View {
  const audit = useAudit(id)
  useSessionEnd(audit)
  return whenLoaded(
    audit,
    (entries) => {
      const items = entries.map((entry) => ({ at: entry.at, name: endpointName(entry) }))
      const names = commonest(items).slice(0, SHOWN_TOOLS)
      const days = countByDay(items, Date.now(), DAYS)
      const caption =
        entries.length === 0
          ? 'No request yet. The first one appears here within seconds.'
          : `${plural(entries.length, 'request')}${entries.length === 500 ? ' (the newest 500)' : ''} in ${DAYS} days, most often ${names[0]}.`
      return html`${h(Figure, {
        title: 'Requests per day',
        level: 2,
        caption,
        table: () => ({
          head: ['Day', 'Requests'],
          rows: days
            .toReversed()
            .map(({ at, parts }) => [
              formatDate(at),
              formatCount(parts.reduce((sum, { count }) => sum + count, 0)),
            ]),
        }),
        children: dayBars(days, names),
      })}<ul class="legend">${names.map((name, index) => html`<li data-series=${index + 1}>${name}</li>`)}</ul>`
    },
    skeleton('100%', '240px'),
  )
}

function Profile({ id }: { readonly id: string }): View {
  const profile = useProfile(id)
  useSessionEnd(profile)
  return html`<h2 id="profile">Profile, ${DAYS} days</h2>${whenLoaded(
    profile,
    (data) => html`<dl class="facts">
        <div><dt>Requests a day</dt><dd>${formatDecimal(data.avgDailyQueries, 1)}</dd></div>
        <div><dt>Comparing look-ups</dt><dd>${formatCount(data.termShoppingCount)}</dd></div>
        <div><dt>Computations</dt><dd>${formatCount(data.underwritingCount)}</dd></div>
        <div><dt>Checks of rules</dt><dd>${formatCount(data.policyCheckCount)}</dd></div>
        <div><dt>Risk awareness</dt><dd>${formatDecimal(data.riskAwarenessScore, 0)} of 100</dd></div>
      </dl><p class="small soft">Risk awareness: the share of transactions built after a look-up and a check of rules, within 15 minutes.</p>`,
    skeleton('100%', '180px'),
  )}`
}

const GRACES = [
  [0, 'not at all'],
  [3600, 'for an hour'],
  [86_400, 'for a day'],
] as const

const graceSentence = (grace: number): string =>
  grace === 0
    ? 'The old one is refused at once.'
    : `The old one goes on working ${GRACES.find(([seconds]) => seconds === grace)?.[1]}.`

function Actions({ agent, admin }: { readonly agent: Agent; readonly admin: boolean }): View {
  const { id, agentName, status } = agent
  const [grace, setGrace] = useState(0)
  const [made, setMade] = useState<string | undefined>(undefined)
  const renew = () => refreshQueries('user/')
  const rotate = async () => {
    const { data } = await call((client) => client.rotateKey({ id, gracePeriodSeconds: grace }))
    setMade(data.apiKey)
    await renew()
  }
  const revoke = async () => {
    await call((client) => client.revokeAgent({ id }))
    await renew()
  }
  const change = (next: 'active' | 'suspended') => async () => {
    await call((client) => client.updateAgent({ id, status: next }))
    await renew()
  }
  if (made !== undefined)
    return newKey(made, 'Shown this once. Quotas go on as they were: rotation resets none.', () =>
      setMade(undefined),
    )
  return html`
    ${
      status === 'active' &&
      h(Confirm, {
        label: 'Rotate the key',
        effect: html`<strong>${nameText(agentName)}</strong> gets a new key, shown once. ${graceSentence(grace)}`,
        confirm: 'Rotate now',
        run: rotate,
        children: h(Field, {
          label: 'The old key works',
          children: (props) =>
            html`<select ...${props} class="select grace" value=${String(grace)} onChange=${(event: Event) => setGrace(Number(inputValue(event)))}>${GRACES.map(([seconds, text]) => html`<option value=${String(seconds)}>${text}</option>`)}</select>`,
        }),
      })
    }
    ${admin && status === 'active' && h(Confirm, { label: 'Suspend', effect: html`Every request with the key of <strong>${nameText(agentName)}</strong> is refused from now on, until an admin resumes it.`, confirm: 'Suspend now', kind: 'danger', run: change('suspended') })}
    ${admin && status === 'suspended' && h(Confirm, { label: 'Resume', effect: html`The key of <strong>${nameText(agentName)}</strong> works again.`, confirm: 'Resume now', run: change('active') })}
    ${admin && h(Limits, { agent })}
    ${h(Confirm, { label: 'Revoke', effect: html`The key of <strong>${nameText(agentName)}</strong> is refused from now on, for good. This cannot be undone.`, confirm: 'Revoke for good', kind: 'danger', run: revoke })}`
}

function Limits({ agent: { id, rateLimits } }: { readonly agent: Agent }): View {
  const [rpm, setRpm] = useState(String(rateLimits.rpm))
  const [rpd, setRpd] = useState(String(rateLimits.rpd))
  const save = async () => {
    await call((client) => client.updateAgent({ id, rateLimits: { rpm: Number(rpm), rpd: Number(rpd) } }))
    await refreshQueries('user/')
  }
  const number = (value: string, set: (text: string) => void) => (props: object) =>
    html`<input ...${props} class="input grace" inputmode="numeric" value=${value} onInput=${(event: Event) => set(inputValue(event))} />`
  return h(Confirm, {
    label: 'Set limits',
    effect: 'The new limits hold from the next request on; what was used today stays used.',
    confirm: 'Set these limits',
    run: save,
    children: html`<div class="row">${h(Field, { label: 'Per minute', children: number(rpm, setRpm) })}${h(Field, { label: 'Per day', children: number(rpd, setRpd) })}</div>`,
  })
}

function Requests({ id }: { readonly id: string }): View {
  const audit = useAudit(id)
  const [words, setWords] = useState('')
  const [outcome, setOutcome] = useState<'all' | 'refused'>('all')
  const fits = (entry: AuditEntry) =>
    entry.endpoint.toLowerCase().includes(words.trim().toLowerCase()) &&
    (outcome === 'all' || entry.status === null || entry.status >= 400)
  return html`<section class="section" aria-labelledby="requests"><h2 id="requests">Last requests</h2><p class="lede">As the audit log has them: each entry is sealed with the one before it.</p><div style=${{ height: '12px' }}></div>
    <div class="toolbar"><input class="input" type="search" placeholder="Filter by endpoint" aria-label="Filter by endpoint" value=${words} onInput=${(event: Event) => setWords(inputValue(event))} />
      <div class="segments" role="group" aria-label="Outcome"><button type="button" aria-pressed=${outcome === 'all'} onClick=${() => setOutcome('all')}>All</button><button type="button" aria-pressed=${outcome === 'refused'} onClick=${() => setOutcome('refused')}>Refused</button></div></div>
    ${whenLoaded(
      audit,
      (entries) => {
        const shown = entries.filter(fits)
        if (shown.length === 0)
          return html`<div class="card">${empty(entries.length === 0 ? 'No request yet.' : 'No request fits the filter.')}</div>`
        return h(Table<AuditEntry>, {
          label: 'Last requests',
          columns: REQUEST_COLUMNS,
          rows: shown.slice(0, 100),
          rowKey: (row: AuditEntry) => `${row.at}${row.endpoint}${row.latencyMs}`,
        })
      },
      skeleton('100%', '200px'),
    )}</section>`
}

const REQUEST_COLUMNS: readonly Column<AuditEntry>[] = [
  {
    key: 'endpoint',
    head: 'Endpoint',
    cell: (entry) => html`<span class="id">${endpointName(entry)}</span>`,
  },
  {
    key: 'status',
    head: 'Status',
    sort: ({ status }) => status,
    cell: ({ status }) =>
      status === null
        ? badge('no answer', 'attention')
        : badge(String(status), status < 400 ? 'good' : status < 500 ? 'attention' : 'bad'),
  },
  {
    key: 'latency',
    head: 'Took',
    align: 'end',
    phone: 'hide',
    sort: ({ latencyMs }) => latencyMs,
    cell: ({ latencyMs }) => (latencyMs === null ? '–' : `${formatDecimal(latencyMs, 1)} ms`),
  },
  { key: 'ip', head: 'From', phone: 'hide', cell: ({ ip }) => html`<span class="id">${ip}</span>` },
  {
    key: 'at',
    head: 'When',
    align: 'end',
    sort: ({ at }) => at,
    cell: ({ at }) => html`<time dateTime=${at} class="nowrap">${formatDateTime(Date.parse(at))}</time>`,
  },
]
