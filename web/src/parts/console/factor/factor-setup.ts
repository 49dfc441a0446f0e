import { useState } from 'preact/hooks'
import {
  beginEnrolment,
  confirmEnrolment,
  type FactorState,
  type NewSecret,
} from '../../../data/account/second-factor.ts'
import { describeError } from '../../../data/errors/describe-error.ts'
import { qrSquare } from '../../../plots/qr-square.ts'
import { CopyButton } from '../../copy.ts'
import { focusOnce } from '../../focus.ts'
import { h, html, type View } from '../../html.ts'
import { Countdown } from '../../time.ts'
import { codeField, typedCode } from './code-field.ts'

/** Sets up an authenticator app: shows a secret, then asks for a code that proves that the app has the secret. */
export function FactorSetup({ isRequired }: Pick<FactorState, 'isRequired'>): View {
  const [secret, setSecret] = useState<NewSecret | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setIsBusy] = useState(false)
  const begin = async () => {
    setIsBusy(true)
    setProblem(undefined)
    await beginEnrolment().then(setSecret, (error: unknown) => setProblem(describeError(error)))
    setIsBusy(false)
  }
  if (secret) return h(Confirmation, { secret, again: begin })
  return html`<section class="card stack" aria-labelledby="set-up"><h2 id="set-up">Not set up</h2>
    ${isRequired && html`<p class="notice" data-tone="attention">This service wants a second factor of every admin. Until you have one, you can do nothing else here.</p>`}
    <p>With one, signing in takes a code of an app on your phone besides the code in the mail: whoever reads your mailbox is not an admin yet.</p>
    <p class="soft small">Any authenticator app will do. You confirm it with a code of it, get recovery codes for the day the phone is lost, and sign in again.</p>
    ${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
    <div><button type="button" class="button" data-kind="primary" aria-disabled=${isBusy} onClick=${begin}>Set up an authenticator app</button></div>
  </section>`
}

/** In groups of four, as people type it. */
const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

type ConfirmationProps = { readonly secret: NewSecret; readonly again: () => void }

function Confirmation({ secret, again }: ConfirmationProps): View {
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setIsBusy(true)
    setProblem(undefined)
    await confirmEnrolment(typedCode(code)).catch((error: unknown) => setProblem(describeError(error)))
    setIsBusy(false)
  }
  return html`<section class="card factor-setup" aria-labelledby="scan" tabindex="-1" ref=${focusOnce}>
    <div class="stack"><h2 id="scan">1. Scan this with your authenticator app</h2>
      ${qrSquare(secret.uri, 'QR code of the secret for your authenticator app')}
      <p class="small soft">On this device? <a href=${secret.uri}>Open it in the app</a>.</p></div>
    <div class="stack"><h3>Or type the secret in</h3>
      <p><code class="key-text">${grouped(secret.secret)}</code></p>
      <div class="row">${h(CopyButton, { text: secret.secret, what: 'the secret', kind: 'plain' })}<span class="small soft">If the app asks: time-based, six digits, SHA-1.</span></div>
      <form class="stack" onSubmit=${submit} aria-label="Confirm the app"><h2>2. Confirm it</h2>
        <p class="small soft">Type in what the app shows now, within ${h(Countdown, { until: Date.parse(secret.expiresAt) })}. Until then nothing is changed.</p>
        ${codeField({ value: code, set: setCode, problem })}
        <div class="row"><button class="button" data-kind="primary" type="submit" aria-disabled=${isBusy}>Confirm and sign out everywhere</button><button type="button" class="link-button" onClick=${again}>Another secret</button></div>
        <p class="small soft">Next: you get recovery codes, and you are signed out everywhere. Then you sign in again, with a code of the app.</p></form></div>
  </section>`
}
