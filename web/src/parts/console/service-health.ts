import { useHealth } from '../../data/queries.ts'
import { formatSpan } from '../format.ts'
import { html, type View } from '../html.ts'
import { stats } from '../stat.ts'

/** Whether the service is in order, for admins. */
export function ServiceHealth(): View {
  const { data, error } = useHealth()
  return stats([
    {
      label: 'Service',
      value: stateText(data?.status, error),
      note: data ? `version ${data.version}` : '',
    },
    { label: 'Network', value: data?.network ?? '…', note: data ? `epoch ${data.epoch}` : '' },
    {
      label: 'Age of the chain data',
      value: data ? formatSpan(data.dataAgeSeconds * 1000) : '…',
      note: 'transactions need less than a minute',
    },
  ])
}

function stateText(status: 'ok' | 'degraded' | undefined, error: unknown): View {
  if (status === 'ok') return html`<span class="good">in order</span>`
  if (status === 'degraded') return html`<span class="attention">degraded</span>`
  return error === undefined ? '…' : html`<span class="bad">not ready</span>`
}
