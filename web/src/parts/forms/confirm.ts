import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { describeError } from '../../data/errors/describe-error.ts'
import { html, type View } from '../html.ts'

type Props = {
  readonly label: string
  /** What it acts on, for screen readers, if a page has several such buttons. */
  readonly about?: string
  /** What will happen, in a sentence. */
  readonly effect: View
  readonly confirm: string
  readonly kind?: 'danger' | 'primary'
  readonly size?: 'small'
  readonly run: () => Promise<void>
  /** Choices that belong to the question. */
  readonly children?: View
}

/** A button that states its effect and asks for confirmation in its place. */
export function Confirm({ label, about, effect, confirm, kind, size, run, children }: Props): View {
  const [state, setState] = useState<'idle' | 'asking' | 'running'>('idle')
  const [error, setError] = useState<unknown>(undefined)
  const question = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const wasAsked = useRef(false)
  // A layout effect moves the focus before the next paint: a key pressed at once must not go to the old element.
  useLayoutEffect(() => {
    if (state === 'asking') question.current?.focus()
    // Back to the button, if it still exists.
    if (state === 'idle' && wasAsked.current) button.current?.focus()
    wasAsked.current = state !== 'idle'
  }, [state])
  const name = about === undefined ? label : `${label} ${about}`
  if (state === 'idle') {
    return html`<button type="button" ref=${button} class="button" data-kind=${kind} data-size=${size} aria-label=${about === undefined ? undefined : name} onClick=${() => setState('asking')}>${label}</button>`
  }
  const runConfirmed = async () => {
    setState('running')
    setError(undefined)
    try {
      await run()
      setState('idle')
    } catch (reason) {
      setError(reason)
      setState('asking')
    }
  }
  const cancel = () => {
    setError(undefined)
    setState('idle')
  }
  const onKeyDown = ({ key, target }: KeyboardEvent) => {
    if (state === 'running') return
    if (key === 'Escape') cancel()
    if (key === 'Enter' && target instanceof HTMLInputElement) void runConfirmed()
  }
  return html`<div class="confirm" role="group" aria-label=${name} tabindex="-1" ref=${question} onKeyDown=${onKeyDown}>
    <p>${effect}</p>${children}
    ${error !== undefined && html`<p class="bad" role="alert">${describeError(error)}</p>`}
    <div class="row"><button type="button" class="button" data-kind=${kind ?? 'primary'} aria-disabled=${state === 'running'} onClick=${runConfirmed}>${confirm}</button>
      <button type="button" class="button" aria-disabled=${state === 'running'} onClick=${cancel}>Cancel</button></div></div>`
}
