import { type Reply, StakewrightError } from '@stakewright/client'
import { type Agent, useNewestAgents } from '../../data/account/agents.ts'
import { useBrokenLog } from '../../data/account/audit-proof.ts'
import { countByDay } from '../../data/account/days.ts'
import { VISITOR } from '../../data/account/play-key.ts'
import { PAGE } from '../../data/lists/read-pages.ts'
import { useHealth, useServiceStatus } from '../../data/queries.ts'
import { badge } from '../badge.ts'
import { formatCount, formatSpan, plural } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { type Stat, stats } from '../stat.ts'
import { Failure } from '../state.ts'
import { Ago } from '../time.ts'

type Status = Reply<'serviceStatus'>['data']

/** Data older than this are marked old, as in the bar on top. */
const OLD_SECONDS = 60
const TWO_DAYS = 2

/** The state of the service for admins: stores, leader, age of the data, nodes and new agents. */
export function ServiceHealth(): View {
  const health = useHealth()
  const status = useServiceStatus()
  const newest = useNewestAgents(VISITOR)
  const isLogBroken = useBrokenLog() !== undefined
  const { data } = status
  return html`${stats([
    {
      label: 'Service',
      value: isLogBroken
        ? html`<span class="bad">log not intact</span>`
        : stateText(health.data?.status, health.error),
      note: data ? `version ${data.version}` : '',
    },
    { label: 'Store', value: data ? STORES[data.store.kind] : '…', note: data && storeNote(data) },
    {
      label: 'Jobs',
      value: data ? (data.isLeader ? 'run here' : 'run elsewhere') : '…',
      note: data && (data.isLeader ? 'this instance is the leader' : 'another instance is the leader'),
    },
    {
      label: 'Age of the chain data',
      value: data ? ageText(data.dataAgeSeconds) : '…',
      note: data && (data.epoch === null ? '' : `${data.network}, epoch ${data.epoch}`),
    },
    {
      label: 'Chain nodes',
      value: data ? nodesText(data.nodes) : '…',
      note: data && nodesNote(data.nodes),
    },
    { label: 'Registered today', ...newestText(newest.data) },
  ])}${data && brokenNodes(data.nodes)}${status.error !== undefined && h(Failure, { error: status.error, at: status.at })}`
}

function ageText(seconds: number | null): View {
  if (seconds === null) return html`<span class="bad">no data yet</span>`
  const text = formatSpan(seconds * 1000)
  return seconds > OLD_SECONDS ? html`<span class="attention">${text}, old</span>` : text
}

/** Agents registered today and yesterday, in UTC like all daily counts. */
function newestText(agents: readonly Agent[] | undefined): Pick<Stat, 'value' | 'note'> {
  if (!agents) return { value: '…' }
  const days = countByDay(
    agents.map(({ createdAt }) => ({ at: createdAt, name: '' })),
    Date.now(),
    TWO_DAYS,
  )
  const [before = 0, today = 0] = days.map(({ parts }) => parts[0]?.count ?? 0)
  const note =
    today < PAGE ? `${formatCount(before)}${today + before === PAGE ? ' or more' : ''} yesterday` : ''
  return { value: `${formatCount(today)}${today === PAGE ? ' or more' : ''}`, note }
}

const STORES = { sqlite: 'embedded', postgres: 'Postgres' } as const
const COUNTERS = { memory: 'in memory', postgres: 'in Postgres', redis: 'in Redis' } as const

const storeNote = ({ store, counters }: Status): View =>
  store.isWritable
    ? `takes writes; counters ${COUNTERS[counters]}`
    : html`<span class="bad">takes no writes: nothing is served</span>`

function stateText(status: 'ok' | 'degraded' | undefined, error: unknown): View {
  if (status === 'ok') return html`<span class="good">in order</span>`
  if (status === 'degraded') return html`<span class="attention">degraded</span>`
  if (error === undefined) return '…'
  // A rate limit of this caller says nothing about the state of the service.
  return error instanceof StakewrightError && error.code === 'rate_limited'
    ? 'not known'
    : html`<span class="bad">not ready</span>`
}

const nodesText = (nodes: Status['nodes']): string =>
  nodes.length === 0
    ? 'none'
    : `${formatCount(nodes.filter(({ isReady }) => isReady).length)} of ${formatCount(nodes.length)}`

function nodesNote(nodes: Status['nodes']): View {
  if (nodes.length === 0) return 'the chain is simulated'
  const left = nodes.filter(({ isReady }) => !isReady).length
  if (left === 0) return 'all are asked; no breaker is open'
  return html`<span class="attention">${plural(left, 'breaker')} open: left alone after failures</span>`
}

/** Nodes that failed, with when they are tried again. */
function brokenNodes(nodes: Status['nodes']): View {
  const broken = nodes.filter(({ isReady, failures }) => !isReady || failures > 0)
  if (broken.length === 0) return null
  return html`<ul class="done-list">${broken.map(
    ({ host, isReady, failures, retryInSeconds }) =>
      html`<li><span class="id">${host}</span><span>${badge(isReady ? 'asked again' : 'breaker open', 'attention')} ${plural(failures, 'failure')}${isReady ? '' : `, next try in ${formatSpan(retryInSeconds * 1000)}`}</span></li>`,
  )}</ul>`
}

/** When the audit log was last signed. */
export function SignedAt(): View {
  const at = useServiceStatus().data?.auditSignedAt
  return at === undefined || at === null ? 'not signed yet' : html`last signed ${h(Ago, { at })}`
}
