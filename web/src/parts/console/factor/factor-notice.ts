import { type FactorState, hasFewCodes } from '../../../data/account/second-factor.ts'
import { plural } from '../../format.ts'
import { html, type View } from '../../html.ts'

const PAGE = '/console/second-factor'

/** A notice about the admin's second factor on the first page of the console; nothing if all is well. */
export function factorNotice(factor: FactorState): View {
  if (!factor.isEnrolled)
    return html`<p class="notice factor-notice"><span>Signing in as admin takes only your mailbox.</span><a href=${PAGE}>Set up a second factor</a></p>`
  if (hasFewCodes(factor))
    return html`<p class="notice factor-notice" data-tone="attention"><span>You have ${plural(factor.recoveryCodesLeft, 'recovery code')} left.</span><a href=${PAGE}>Make new ones</a></p>`
  return null
}

/** Shown instead of the console if the service requires a second factor and the admin has none. */
export const factorWanted = html`<div class="card stack sign-in"><h2>A second factor first</h2><p>This service wants an authenticator app of every admin. Until you have one, you can do nothing else here.</p><div><a class="button" data-kind="primary" href=${PAGE}>Set it up</a></div></div>`
