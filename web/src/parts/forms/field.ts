import { useId } from 'preact/hooks'
import { html, type View } from '../html.ts'
import { useOpenInput } from './answerable.ts'

type InputProps = {
  readonly id: string
  readonly 'aria-invalid': boolean | undefined
  readonly 'aria-describedby': string | undefined
}

type Props = {
  readonly label: View
  readonly hint?: View
  readonly problem?: string | undefined
  /** Draws the control with these attributes, so that label, hint and problem belong to it. */
  readonly children: (props: InputProps) => View
}

/** A control with its label, a hint, and the problem with the typed text. */
export function Field({ label, hint, problem, children }: Props): View {
  const id = useId()
  useOpenInput(problem !== undefined)
  const about = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${children({ id, 'aria-invalid': problem ? true : undefined, 'aria-describedby': about || undefined })}
    ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
    ${problem && html`<p class="problem" id=${`${id}-problem`} role="alert">${problem}</p>`}
  </div>`
}

/** A problem of a whole form or a group of checkboxes, rather than of one field. */
export const problemText = (problem: string | undefined): View =>
  problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`

export const inputValue = ({ target }: Event): string =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement
    ? target.value
    : ''
