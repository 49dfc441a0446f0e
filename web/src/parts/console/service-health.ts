import type { Reply } from '@stakewright/client'
import { useSessionEnd } from '../../data/account/user.ts'
import { useHealth, useServiceStatus } from '../../data/queries.ts'
import { badge } from '../badge.ts'
import { formatCount, formatSpan, plural } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { stats } from '../stat.ts'
import { Ago } from '../time.ts'

type Status = Reply<'serviceStatus'>['data']

/** Whether the service is in order: stores, leader, age of the data, nodes. For admins. */
export function ServiceHealth(): View {
  const health = useHealth()
  const status = useServiceStatus()
  useSessionEnd(status)
  const { data } = status
  return html`${stats([
    {
      label: 'Service',
      value: stateText(health.data?.status, health.error),
      note: data ? `version ${data.version}` : '',
    },
    {
      label: 'Store',
      value: data ? STORES[data.store.kind] : '…',
      note: data && storeNote(data),
    },
    {
      label: 'Jobs',
      value: data ? (data.isLeader ? 'run here' : 'run elsewhere') : '…',
      note: data?.isLeader === false ? 'another instance is the leader' : 'this instance is the leader',
    },
    {
      label: 'Age of the chain data',
      value: data && data.dataAgeSeconds !== null ? formatSpan(data.dataAgeSeconds * 1000) : '…',
      note: data?.epoch ? `${data.network}, epoch ${data.epoch}` : 'no data yet',
    },
    {
      label: 'Nodes',
      value: data ? nodesText(data.nodes) : '…',
      note: data ? nodesNote(data.nodes) : '',
    },
  ])}${data && brokenNodes(data.nodes)}`
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
  return error === undefined ? '…' : html`<span class="bad">not ready</span>`
}

const nodesText = (nodes: Status['nodes']): string =>
  nodes.length === 0
    ? 'none'
    : `${formatCount(nodes.filter(({ isReady }) => isReady).length)} of ${formatCount(nodes.length)}`

const nodesNote = (nodes: Status['nodes']): string =>
  nodes.length === 0 ? 'the chain is simulated' : 'are asked; the others failed and are left alone'

/** Nodes that failed, with when they are tried again. */
function brokenNodes(nodes: Status['nodes']): View {
  const broken = nodes.filter(({ isReady, failures }) => !isReady || failures > 0)
  if (broken.length === 0) return null
  return html`<ul class="done-list">${broken.map(
    ({ host, isReady, failures, retryInSeconds }) =>
      html`<li><span class="id">${host}</span><span>${badge(isReady ? 'asked again' : 'left alone', 'attention')} ${plural(failures, 'failure')}${isReady ? '' : `, next try in ${formatSpan(retryInSeconds * 1000)}`}</span></li>`,
  )}</ul>`
}

/** When the audit log was last signed. */
export function SignedAt(): View {
  const at = useServiceStatus().data?.auditSignedAt
  return at === undefined || at === null ? 'not signed yet' : html`last signed ${h(Ago, { at })}`
}
