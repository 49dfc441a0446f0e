import { Field, inputValue } from '../../forms/field.ts'
import { h, html, type View } from '../../html.ts'

type Props = {
  readonly value: string
  readonly set: (code: string) => void
  /** Whether a recovery code will do, too. */
  readonly orRecovery?: boolean
  readonly problem?: string | undefined
}

/** The code that an authenticator app shows now. */
export const codeField = ({ value, set, orRecovery = false, problem }: Props): View =>
  h(Field, {
    label: orRecovery ? 'Code from your app, or a recovery code' : 'Code from your app',
    hint: 'One that was not used yet: the app shows a new one every 30 seconds.',
    problem,
    children: (props) =>
      html`<input ...${props} class="input code-input" autocomplete="one-time-code" inputmode=${orRecovery ? undefined : 'numeric'} maxlength=${orRecovery ? 23 : 7} required value=${value} onInput=${(event: Event) => set(inputValue(event))} />`,
  })

/** Removes spaces: apps show six digits in two groups, and people type them so. */
export const typedCode = (text: string): string => text.replaceAll(/\s/g, '')
