import { StakewrightError } from '@stakewright/client'
import { useEffect, useState } from 'preact/hooks'
import { dropPending, keepPending, readPending } from '../../data/account/pending-sign-in.ts'
import { session } from '../../data/account/session.ts'
import type { SessionEnd } from '../../data/account/user.ts'
import { beginSession } from '../../data/account/user.ts'
import { describeError } from '../../data/errors/describe-error.ts'
import { call } from '../../data/service.ts'
import { focusOnce, showTitle } from '../focus.ts'
import { h, html, type View } from '../html.ts'
import { Field, inputValue } from './field.ts'
import { WalletSignIn } from './wallet-sign-in.ts'

/** Whether a second factor is missing. The service asks for it only after a correct code. */
const asksForFactor = (error: unknown): boolean =>
  error instanceof StakewrightError && error.details.some(({ field }) => field === 'totp')

const isLimited = (error: unknown): boolean =>
  error instanceof StakewrightError && error.code === 'rate_limited'

/** The service tells programs which call to make; a person has a button for it. */
const problemText = (error: unknown): string =>
  error instanceof StakewrightError && error.code === 'unauthorized' && !asksForFactor(error)
    ? 'This code is wrong, used, expired or tried too often. Use the long code of the same mail if neither of its codes was used, or send a new code.'
    : describeError(error)

/** Codes are read, typed and copied in groups. */
const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '')

const END_TEXTS: Readonly<Record<SessionEnd, string>> = {
  'by itself': 'Your session has ended. Sign in again to continue where you were.',
  'by enrolment': 'Your authenticator app is set up. Sign in again, with a code of it.',
  'only here':
    'You are signed out in this browser. The service did not answer, so the session may still be open there: sign in again later and end it under “Where you are signed in”.',
}

/** Signing in by a code in a mail, or by a wallet. What was typed stays when something fails. */
export function SignIn({ ended }: { readonly ended: SessionEnd | undefined }): View {
  const [pending] = useState(() => readPending(Date.now()))
  const [email, setEmail] = useState(pending ?? '')
  const [code, setCode] = useState('')
  const [totp, setTotp] = useState('')
  const [step, setStep] = useState<'email' | 'code' | 'factor'>(pending ? 'code' : 'email')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setIsBusy] = useState(false)
  const [isSentAgain, setIsSentAgain] = useState(false)
  const attempt = async (work: () => Promise<void>) => {
    setIsBusy(true)
    setProblem(undefined)
    setIsSentAgain(false)
    await work().catch((error: unknown) => {
      const isAsked = step === 'code' && asksForFactor(error)
      if (isAsked) setStep('factor')
      // Addresses that have signed in from this network before get a code even beyond its limit.
      if (step === 'email' && isLimited(error)) setStep('code')
      setProblem(isAsked ? undefined : problemText(error))
    })
    setIsBusy(false)
  }
  const requestCode = () =>
    attempt(async () => {
      await call((client) => client.requestCode({ email }))
      keepPending(email, Date.now())
      setCode('')
      setIsSentAgain(step !== 'email')
      setStep('code')
    })
  const exchange = () =>
    attempt(async () => {
      const { data } = await call((client) =>
        client.exchangeCode({
          email,
          code: withoutSpace(code),
          ...(step === 'factor' && { totp: withoutSpace(totp) }),
        }),
      )
      dropPending()
      beginSession(email, data)
    })
  const another = () => {
    dropPending()
    setProblem(undefined)
    setIsSentAgain(false)
    setStep('email')
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (step === 'email') void requestCode()
    else void exchange()
  }
  // After the sign-in the focus moves to the title of the new content.
  useEffect(() => () => session.get().user && showTitle(), [])
  return html`<div class="sign-in stack">
    ${ended && html`<p class="notice" data-tone="attention" role="status">${END_TEXTS[ended]}</p>`}
    <form class="card stack" onSubmit=${submit} aria-label="Sign in by mail">
    <h2>Sign in by mail</h2>
    <p class="soft">You get a code by mail; there is no password. Agents registered with the address are yours. New here? Sign in the same way.</p>
    ${h(Field, { label: 'E-mail address', problem: step === 'email' ? problem : undefined, children: (props) => html`<input ...${props} class="input" type="email" autocomplete="email" required readonly=${step !== 'email'} value=${email} onInput=${(event: Event) => setEmail(inputValue(event).trim())} />` })}
    ${step !== 'email' && h(Field, { label: 'Code from the mail', hint: 'Six digits, good for ten minutes, or the long code of the same mail. A service without a mail server writes mails as files into its outbox folder.', problem: step === 'code' ? problem : undefined, children: (props) => html`<input ...${props} class="input code-input" autocomplete="one-time-code" maxlength="40" required value=${code} onInput=${(event: Event) => setCode(inputValue(event))} ref=${focusOnce} />` })}
    ${step === 'factor' && h(Field, { label: 'Code from your authenticator app', hint: 'Six digits, or one of your recovery codes. Each works once.', problem, children: (props) => html`<input ...${props} class="input code-input" autocomplete="one-time-code" maxlength="40" required value=${totp} onInput=${(event: Event) => setTotp(inputValue(event))} ref=${focusOnce} />` })}
    <div class="row"><button class="button" data-kind="primary" type="submit" aria-disabled=${isBusy}>${step === 'email' ? 'Send me a code' : 'Sign in'}</button>
      ${step !== 'email' && html`<button class="link-button" type="button" aria-disabled=${isBusy} onClick=${requestCode}>Send a new code</button><button class="link-button" type="button" onClick=${another}>Another address</button>`}</div>
    <p class="small soft" role="status">${isSentAgain && 'A new code is on its way. If many were sent lately none is added: then use the long code of an earlier mail, which works for six hours, until a code of that mail is used.'}</p>
    </form>
    ${h(WalletSignIn, {})}
    <p class="small soft">A sign-in holds in every tab of this browser, until you close the last one, sign out, or the session ends.</p>
  </div>`
}
