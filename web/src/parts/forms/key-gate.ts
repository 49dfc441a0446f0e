import { isCredential } from '@stakewright/client'
import { useEffect, useState } from 'preact/hooks'
import { keepOwnKey, retryPlayKey, useApiKey } from '../../data/account/play-key.ts'
import { changeSession } from '../../data/account/session.ts'
import { describeError } from '../../data/errors/describe-error.ts'
import { retryMsOf } from '../../data/service.ts'
import { h, html, type View } from '../html.ts'
import { skeleton } from '../state.ts'
import { Field } from './field.ts'

/** Shows content that needs an API key; without a key, the form to enter one. */
export function KeyGate({
  children,
  height,
}: {
  readonly children: () => View
  readonly height: string
}): View {
  const key = useApiKey()
  if (key.kind === 'ready') return children()
  if (key.kind === 'making') return skeleton('100%', height)
  return h(KeyForm, key)
}

type KeyFormProps = { readonly error: unknown; readonly refused: unknown }

function KeyForm({ error, refused }: KeyFormProps): View {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  // No automatic retry while the user types a key.
  const retryMs = text === '' ? retryMsOf(error) : undefined
  useEffect(() => {
    if (retryMs === undefined) return
    const timer = setTimeout(retryPlayKey, retryMs)
    return () => clearTimeout(timer)
  }, [error, retryMs])
  const submit = (event: Event) => {
    event.preventDefault()
    if (text.trim() === '') setProblem('Paste a key first.')
    else if (!isCredential(text.trim())) setProblem('This cannot be a key: copy it again, whole and alone.')
    else keepOwnKey(text.trim())
  }
  return html`<form class="card stack key-form" onSubmit=${submit}>
    <h2>An API key, please</h2>
    <p class="soft">This page asks the service the way an agent does. The key stays in this browser tab; it is never part of an address and is gone when you close the tab.</p>
    ${refused !== undefined && html`<p class="notice" data-tone="bad" role="alert">The key was refused: ${describeError(refused)}</p>`}
    ${error !== undefined && html`<p class="notice" data-tone="attention">No key for play could be made: ${describeError(error)} <button type="button" class="link-button" onClick=${retryPlayKey}>Try again</button></p>`}
    ${h(Field, { label: 'API key', problem, children: (props) => html`<input ...${props} class="input mono" type="password" autocomplete="off" spellcheck=${false} value=${text} onInput=${(event: Event) => event.target instanceof HTMLInputElement && setText(event.target.value)} />` })}
    <div class="row"><button class="button" data-kind="primary" type="submit">Use this key</button><a href="/console">Register an agent instead</a></div>
  </form>`
}

/** Which key the page uses, and a way to change it. */
export const keyNote = (apiKey: string): View =>
  html`<p class="small soft">Using the key <span class="id">${apiKey.slice(0, 12)}…</span> in this tab. <button type="button" class="link-button" onClick=${() => changeSession({ apiKey: undefined })}>Forget it</button></p>`
