import type { Agent } from '../../data/account/agents.ts'
import { agentBadge } from '../badge.ts'
import { formatCount, shortOwner } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { type Column, Table } from '../table.ts'
import { Ago } from '../time.ts'
import { nameText } from '../validator-link.ts'

/** Agents as rows: state, tier, key, limits, last use. */
export const agentsTable = (agents: readonly Agent[], hasOwners: boolean): View =>
  h(Table<Agent>, {
    label: 'Agents',
    columns: hasOwners ? [NAME, OWNER, ...COLUMNS] : [NAME, ...COLUMNS],
    rows: agents,
    rowKey: (row: Agent) => row.id,
  })

const NAME: Column<Agent> = {
  key: 'name',
  head: 'Agent',
  first: 'ascending',
  sort: ({ agentName }) => agentName.toLowerCase(),
  cell: ({ id, agentName }) => html`<a href=${`/console/${id}`}>${nameText(agentName)}</a>`,
}

const OWNER: Column<Agent> = {
  key: 'owner',
  head: 'Owner',
  phone: 'hide',
  first: 'ascending',
  sort: ({ owner }) => owner,
  cell: ({ owner }) => html`<bdi class="owner" title=${owner}>${shortOwner(owner)}</bdi>`,
}

const COLUMNS: readonly Column<Agent>[] = [
  {
    key: 'status',
    head: 'Its key is',
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
