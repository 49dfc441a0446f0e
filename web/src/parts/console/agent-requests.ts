import { useState } from 'preact/hooks'
import { type AuditEntry, useAudit } from '../../data/account/agents.ts'
import { useNamedKeys } from '../../data/account/keys.ts'
import { useNetwork, useValidators } from '../../data/queries.ts'
import { callText, isBuild, requestText } from '../../data/words/request-words.ts'
import { ExactAmount } from '../amount.ts'
import { formatDateTime, formatDecimal, formatExactTokens, shortId } from '../format.ts'
import { inputValue } from '../forms/field.ts'
import { h, html, type View } from '../html.ts'
import { empty, skeleton, whenLoaded } from '../state.ts'
import { type Column, Table } from '../table.ts'
import { whenText } from '../time.ts'
import type { Coin } from '../typed/amount.ts'
import { nameText } from '../validator-link.ts'
import { isRequest } from './agent-usage.ts'
import { outcomeText, outcomeView } from './build-outcome.ts'
import { ListEnd, useFirst } from './list-end.ts'
import { namesOf } from './validator-names.ts'
import { LogPromise } from './verify-log.ts'

const SHOWN = 100

/** The filters by outcome. */
const FILTERS = {
  all: { label: 'All', fits: () => true },
  refused: {
    label: 'Refused or held',
    fits: ({ status }: AuditEntry) => status === null || status === 202 || status >= 400,
  },
  builds: { label: 'Builds', fits: ({ endpoint }: AuditEntry) => isBuild(endpoint) },
} as const
type Filter = keyof typeof FILTERS
const FILTER_NAMES = ['all', 'refused', 'builds'] as const satisfies readonly Filter[]

/** The newest requests, with filters by call and by outcome. */
export function AgentRequests({ id, admin }: { readonly id: string; readonly admin: boolean }): View {
  const audit = useAudit(id)
  const names = new Map(useNamedKeys(id).data?.map((key) => [key.id, key.name]))
  const [words, setWords] = useState('')
  const [outcome, setOutcome] = useState<Filter>('all')
  const coin = useNetwork().data
  const validators = namesOf(useValidators().data?.data ?? [])
  const wanted = words.trim().toLowerCase()
  const fits = (entry: AuditEntry) =>
    isRequest(entry) &&
    FILTERS[outcome].fits(entry) &&
    (wanted === '' ||
      `${rowText(entry, names, coin)} ${outcomeText(entry, coin, validators)}`.toLowerCase().includes(wanted))
  const fitting = audit.data?.filter(fits) ?? []
  const [shown, more] = useFirst(fitting, SHOWN)
  return html`<section class="section" aria-labelledby="requests"><h2 id="requests">Last requests</h2><p class="lede">${h(LogPromise, { admin })}</p><div style=${{ height: '12px' }}></div>
    <div class="toolbar"><input class="input" type="search" placeholder="Filter by what the rows show" aria-label="Filter by what the rows show" value=${words} onInput=${(event: Event) => setWords(inputValue(event))} />
      <div class="segments" role="group" aria-label="Outcome">${FILTER_NAMES.map((name) => html`<button type="button" aria-pressed=${outcome === name} onClick=${() => setOutcome(name)}>${FILTERS[name].label}</button>`)}</div></div>
    ${whenLoaded(
      audit,
      (entries) => {
        if (fitting.length === 0)
          return html`<div class="card">${empty(entries.some(isRequest) ? 'No request fits the filter.' : 'No request yet.')}</div>`
        return html`${h(Table<AuditEntry>, {
          label: 'Last requests',
          columns: columnsFor(id, names),
          rows: shown,
          rowKey: (row: AuditEntry) => `${row.at}${row.endpoint}${row.latencyMs}`,
        })}${more}`
      },
      skeleton('100%', '200px'),
    )}${h(ListEnd, { list: audit, what: 'entries of its log', which: 'newest' })}</section>`
}

/** The searchable text of a row, without its outcome. */
function rowText(
  { endpoint, status, build, actor, ip, at }: AuditEntry,
  keys: ReadonlyMap<string, string>,
  coin: Coin | undefined,
): string {
  const amount = build?.amount
  return [
    requestText(endpoint),
    endpoint,
    callText(endpoint),
    status,
    ...(coin && amount != null ? [`${formatExactTokens(BigInt(amount), coin.decimals)} ${coin.symbol}`] : []),
    ...(keys.size === 0
      ? []
      : [actor.key === null ? 'primary' : (keys.get(actor.key) ?? shortId(actor.key))]),
    ip,
    formatDateTime(Date.parse(at)),
  ].join(' ')
}

/** The column of the used key is left out if the agent has only its primary key. */
const columnsFor = (id: string, names: ReadonlyMap<string, string>): readonly Column<AuditEntry>[] => [
  {
    key: 'endpoint',
    head: 'Asked for',
    cell: ({ endpoint, status, build }) =>
      html`<span class="request">${requestText(endpoint)}${build && build.amount !== null && html`, ${h(ExactAmount, { value: build.amount })}`}</span><span class="id faint key-below" data-phone="hide">${callText(endpoint)}${status !== null && ` · ${status}`}</span>`,
  },
  {
    key: 'status',
    head: 'Outcome',
    sort: ({ status }) => status,
    cell: (entry) => outcomeView(id, entry),
  },
  {
    key: 'latency',
    head: 'Took',
    align: 'end',
    phone: 'hide',
    sort: ({ latencyMs }) => latencyMs,
    cell: ({ latencyMs }) => (latencyMs === null ? '–' : `${formatDecimal(latencyMs, 1)} ms`),
  },
  ...(names.size === 0
    ? []
    : [
        {
          key: 'with',
          head: 'With key',
          phone: 'hide' as const,
          cell: ({ actor }: AuditEntry) =>
            actor.key === null
              ? html`<span class="faint">primary</span>`
              : nameText(names.get(actor.key) ?? shortId(actor.key)),
        },
      ]),
  { key: 'ip', head: 'From', phone: 'hide', cell: ({ ip }) => html`<span class="id">${ip}</span>` },
  {
    key: 'at',
    head: 'When',
    align: 'end',
    sort: ({ at }) => at,
    cell: ({ at }) => whenText(at),
  },
]
