import { useState } from 'preact/hooks'
import { act } from '../../../data/account/act.ts'
import { type NamedKey, type NewKey, useNamedKeys } from '../../../data/account/keys.ts'
import { keepUnstored } from '../../../data/account/unstored-keys.ts'
import { badge, type Tone } from '../../badge.ts'
import { Confirm } from '../../forms/confirm.ts'
import { NewKeyCard } from '../../forms/new-key.ts'
import { h, html, type View } from '../../html.ts'
import { skeleton, whenLoaded } from '../../state.ts'
import { type Column, Table } from '../../table.ts'
import { Ago } from '../../time.ts'
import { nameText } from '../../validator-link.ts'
import { KeyForm } from './key-form.ts'
import { mayText, untilText } from './key-text.ts'

type Props = {
  readonly id: string
  /** Whether the agent may still get keys. */
  readonly isOpen: boolean
}

/** Keys beside the primary one, each for one purpose. */
export function NamedKeys({ id, isOpen }: Props): View {
  const keys = useNamedKeys(id)
  const [isNew, setIsNew] = useState(false)
  const place = `named key of ${id}`
  const create = async (key: NewKey) => {
    await act(
      (client) => client.createKey({ id, ...key }),
      ({ data }) => {
        keepUnstored(place, data.apiKey)
        setIsNew(false)
      },
    )
  }
  return html`<section class="section" aria-labelledby="named-keys">
    <div class="section-head"><h2 id="named-keys">Named keys</h2>${isOpen && !isNew && html`<button type="button" class="button" data-size="small" onClick=${() => setIsNew(true)}>Add a named key</button>`}</div>
    ${h(NewKeyCard, { place, note: 'It is shown only now. It shares tier and limits with its agent.' })}
    ${isNew && h(KeyForm, { create, close: () => setIsNew(false) })}
    ${whenLoaded(keys, (data) => (data.length === 0 ? NONE : keyTable(id, data)), skeleton('100%', '48px'))}
  </section>`
}

const NONE = html`<p class="soft">None. A named key may do less than the primary one, from fewer places, for a time: give one to every place that runs the agent.</p>`

const keyTable = (agentId: string, keys: readonly NamedKey[]): View =>
  h(Table<NamedKey>, {
    label: 'Named keys',
    columns: [
      ...COLUMNS,
      { key: 'end', head: 'Action', align: 'end', cell: (one) => endButton(agentId, one) },
    ],
    rows: keys,
    rowKey: (row: NamedKey) => row.id,
  })

function endButton(agentId: string, { id: keyId, name, status }: NamedKey): View {
  if (status !== 'active') return html`<span class="faint">–</span>`
  const revoke = async () => {
    await act((client) => client.revokeKey({ id: agentId, keyId }))
  }
  const effect = html`The key <strong>${nameText(name)}</strong> is refused from now on, for good. The agent and its other keys continue to work.`
  return h(Confirm, {
    label: 'Revoke',
    about: `the key ${name}`,
    effect,
    confirm: 'Revoke for good',
    kind: 'danger',
    size: 'small',
    run: revoke,
  })
}

const TONES: Readonly<Record<NamedKey['status'], Tone>> = {
  active: 'good',
  expired: 'neutral',
  revoked: 'bad',
}

const COLUMNS: readonly Column<NamedKey>[] = [
  {
    key: 'name',
    head: 'Name',
    cell: ({ name, keyPrefix }) => html`${nameText(name)}<div class="id faint">${keyPrefix}…</div>`,
  },
  { key: 'status', head: 'State', cell: ({ status }) => badge(status, TONES[status]) },
  {
    key: 'scopes',
    head: 'May',
    phone: 'hide',
    cell: ({ scopes }) => mayText(scopes),
  },
  {
    key: 'networks',
    head: 'Accepted from',
    phone: 'hide',
    cell: ({ allowedNetworks }) =>
      allowedNetworks.length === 0
        ? 'everywhere'
        : html`<span class="id">${allowedNetworks.join(', ')}</span>`,
  },
  {
    key: 'until',
    head: 'Works until',
    phone: 'hide',
    cell: ({ expiresAt, revokedAt }) => untilText(revokedAt ?? expiresAt),
  },
  {
    key: 'used',
    head: 'Last used',
    phone: 'hide',
    align: 'end',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? html`<span class="faint">never</span>` : h(Ago, { at: lastUsedAt }),
  },
]
