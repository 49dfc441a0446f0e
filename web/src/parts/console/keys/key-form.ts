import { useState } from 'preact/hooks'
import type { KeyScope, NewKey } from '../../../data/account/keys.ts'
import { NO_REFUSAL, toRefusal } from '../../../data/errors/describe-error.ts'
import { SCOPES } from '../../../data/words/api-words.ts'
import { focusOnce } from '../../focus.ts'
import { Field, inputValue, problemText } from '../../forms/field.ts'
import { h, html, type View } from '../../html.ts'

const isScope = (text: string): text is KeyScope => text in SCOPES
const ALL_SCOPES = Object.keys(SCOPES).filter(isScope)

const DAY_MS = 86_400_000
const LIVES = [
  [0, 'until it is revoked'],
  [7, 'for a week'],
  [30, 'for 30 days'],
  [90, 'for 90 days'],
  [365, 'for a year'],
] as const

const LABELS = {
  name: 'Name',
  scopes: 'It may',
  allowedNetworks: 'Accepted from',
  expiresAt: 'It works',
} as const

type Props = {
  readonly create: (key: NewKey) => Promise<void>
  readonly close: () => void
}

/** The form for a named key: its scopes, the networks it is accepted from, and how long it works. */
export function KeyForm({ create, close }: Props): View {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly KeyScope[]>(['read'])
  const [networks, setNetworks] = useState('')
  const [days, setDays] = useState(90)
  const [refusal, setRefusal] = useState(NO_REFUSAL)
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (scopes.length === 0)
      return setRefusal({
        byField: { scopes: 'Choose at least one thing that it may do.' },
        other: undefined,
      })
    setIsBusy(true)
    setRefusal(NO_REFUSAL)
    const allowedNetworks = networks.split(/[\s,]+/).filter((one) => one !== '')
    const expiresAt = days === 0 ? undefined : new Date(Date.now() + days * DAY_MS).toISOString()
    await create({
      name: name.trim(),
      scopes: [...scopes],
      allowedNetworks,
      ...(expiresAt !== undefined && { expiresAt }),
    }).catch((error: unknown) => setRefusal(toRefusal(error, LABELS)))
    setIsBusy(false)
  }
  const toggle = (scope: KeyScope) =>
    setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope])
  return html`<form class="card register" onSubmit=${submit} aria-label="Add a named key">
    ${h(Field, { label: LABELS.name, problem: refusal.byField['name'], hint: 'What it is for, such as “ci”.', children: (props) => html`<input ...${props} class="input" maxlength="64" required value=${name} onInput=${(event: Event) => setName(inputValue(event))} ref=${focusOnce} />` })}
    <fieldset class="field"><legend>${LABELS.scopes}</legend>${ALL_SCOPES.map((scope) => html`<label class="check"><input type="checkbox" checked=${scopes.includes(scope)} onChange=${() => toggle(scope)} />${SCOPES[scope]}</label>`)}${problemText(refusal.byField['scopes'])}</fieldset>
    ${h(Field, { label: LABELS.allowedNetworks, problem: refusal.byField['allowedNetworks'], hint: 'Networks such as 203.0.113.0/24, with commas between. Empty: from everywhere.', children: (props) => html`<input ...${props} class="input mono" autocomplete="off" spellcheck=${false} value=${networks} onInput=${(event: Event) => setNetworks(inputValue(event))} />` })}
    ${h(Field, { label: LABELS.expiresAt, problem: refusal.byField['expiresAt'], children: (props) => html`<select ...${props} class="select" value=${String(days)} onChange=${(event: Event) => setDays(Number(inputValue(event)))}>${LIVES.map(([each, text]) => html`<option value=${String(each)}>${text}</option>`)}</select>` })}
    ${problemText(refusal.other)}<div class="row"><button class="button" data-kind="primary" type="submit" aria-disabled=${isBusy}>Make the key</button><button class="button" type="button" onClick=${close}>Cancel</button></div>
  </form>`
}
