import { act } from '../../data/account/act.ts'
import { type SignedInSession, useSessions } from '../../data/account/keys.ts'
import { signOut } from '../../data/account/user.ts'
import { badge } from '../badge.ts'
import { formatDateTime } from '../format.ts'
import { Confirm } from '../forms/confirm.ts'
import { h, html, type View } from '../html.ts'
import { skeleton, whenLoaded } from '../state.ts'
import { Ago } from '../time.ts'

/** The user's sessions, each with a button to end it. They are requested before they are shown. */
export function Sessions({ isShown }: { readonly isShown: boolean }): View {
  const sessions = useSessions()
  if (!isShown) return null
  return html`<section class="section" aria-labelledby="sessions"><h2 id="sessions">Where you are signed in</h2>
    <p class="lede">Every browser and program that is signed in as you. What you end here is signed out at once. Addresses are kept without their last part; the time tells which session is which.</p>
    ${whenLoaded(
      sessions,
      (data) =>
        html`<ul class="done-list sessions">${data.map((one) => html`<li key=${one.id}>${h(SessionRow, { session: one })}</li>`)}</ul>`,
      skeleton('100%', '64px'),
    )}</section>`
}

function SessionRow({ session }: { readonly session: SignedInSession }): View {
  const { id, ip, isCurrent, issuedBy, createdAt, expiresAt } = session
  const end = () => (isCurrent ? signOut() : act((client) => client.endSession({ id })))
  const effect = isCurrent
    ? 'You are signed out here, and this token is refused from now on.'
    : `The session from ${ip} is refused from now on. Whoever uses it has to sign in again.`
  return html`<span class="row"><span class="id">${ip}</span>${isCurrent && badge('this one', 'good')}<span class="soft small">${issuedBy === 'operator' ? 'token made by the operator' : 'signed in'} ${h(Ago, { at: createdAt })}, until ${formatDateTime(Date.parse(expiresAt))}</span></span>
    ${h(Confirm, { label: 'End', about: `the session from ${ip}`, effect, confirm: 'End it now', kind: 'danger', size: 'small', run: end })}`
}
