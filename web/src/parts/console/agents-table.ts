import type { Agent } from '../../data/account/agents.ts'
import { policyWords } from '../../data/policy/policy-words.ts'
import { daySpark } from '../../plots/day-spark.ts'
import { quotaRing } from '../../plots/quota-ring.ts'
import { agentBadge } from '../badge.ts'
import { formatCount, plural, shortOwner } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { type Column, Table } from '../table.ts'
import { Ago } from '../time.ts'
import { nameText } from '../validator-link.ts'

/** A table of agents: state, usage, policy, last use. */
export const agentsTable = (agents: readonly Agent[], hasOwners: boolean): View =>
  h(Table<Agent>, {
    label: 'Agents',
    columns: hasOwners ? [nameColumn(true), OWNER, ...COLUMNS] : [nameColumn(false), ...COLUMNS],
    rows: agents,
    rowKey: (row: Agent) => row.id,
  })

const nameColumn = (hasOwners: boolean): Column<Agent> => ({
  key: 'name',
  head: 'Agent',
  first: 'ascending',
  kind: 'text',
  sort: ({ agentName }) => agentName.toLowerCase(),
  cell: (agent) =>
    html`<a href=${`/console/${agent.id}`}>${nameText(agent.agentName)}</a><span class="id faint key-below">${agent.keyPrefix}…</span>${phoneFacts(agent, hasOwners)}`,
})

/** The contents of the columns that a phone has no room for. */
const phoneFacts = (agent: Agent, hasOwners: boolean): View =>
  html`<ul class="phone-facts small soft" data-phone="only">
    ${hasOwners && html`<li>${ownerText(agent)}</li>`}
    <li class="with-plot">${quotaRing(agent.used.rpd, agent.rateLimits.rpd)}<span>${formatCount(agent.used.rpd)} of ${plural(agent.rateLimits.rpd, 'request')} today</span></li>
    <li>${formatCount(sum(agent.requestsPerDay))} in 30 days, ${agent.lastUsedAt === null ? 'never used' : html`last ${h(Ago, { at: agent.lastUsedAt })}`}</li>
    <li>${agent.policy === null ? 'no policy' : policyWords(agent.policy).short}</li>
  </ul>`

const ownerText = ({ owner }: Agent): View =>
  html`<bdi class="owner" title=${owner}>${shortOwner(owner)}</bdi>`

const OWNER: Column<Agent> = {
  key: 'owner',
  head: 'Owner',
  phone: 'below',
  first: 'ascending',
  kind: 'text',
  sort: ({ owner }) => owner,
  cell: ownerText,
}

const COLUMNS: readonly Column<Agent>[] = [
  {
    key: 'status',
    head: 'State',
    first: 'ascending',
    kind: 'text',
    sort: ({ status, policy }) => (status === 'active' && policy?.paused ? 'paused' : status),
    cell: ({ status, policy }) => agentBadge(status, policy?.paused),
  },
  {
    key: 'tier',
    head: 'Tier',
    phone: 'hide',
    kind: 'text',
    sort: ({ tier }) => tier,
    cell: ({ tier }) => tier,
  },
  {
    key: 'today',
    head: 'Used today',
    phone: 'below',
    sort: ({ used, rateLimits }) => used.rpd / Math.max(1, rateLimits.rpd),
    cell: usedToday,
  },
  {
    key: 'days',
    head: 'Requests, 30 days',
    phone: 'below',
    sort: ({ requestsPerDay }) => sum(requestsPerDay),
    cell: ({ requestsPerDay }) =>
      html`<span class="with-plot">${daySpark(requestsPerDay)}<span class="number">${formatCount(sum(requestsPerDay))}</span></span>`,
  },
  { key: 'policy', head: 'Policy', phone: 'below', cell: policyCell },
  {
    key: 'used',
    head: 'Last used',
    phone: 'below',
    align: 'end',
    kind: 'time',
    sort: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? html`<span class="faint">never</span>` : h(Ago, { at: lastUsedAt }),
  },
]

function usedToday({ used, rateLimits }: Agent): View {
  const limits = `At most ${formatCount(rateLimits.rpm)} a minute and ${formatCount(rateLimits.rpd)} a day.`
  return html`<span class="with-plot" title=${limits}>${quotaRing(used.rpd, rateLimits.rpd)}<span class="number">${formatCount(used.rpd)}</span></span>`
}

function policyCell({ policy }: Agent): View {
  const { short, whole } = policyWords(policy)
  return html`<span class=${policy === null ? 'faint' : 'policy-words'} title=${whole}>${short}</span>`
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
