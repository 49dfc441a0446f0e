import { useFactor } from '../data/account/second-factor.ts'
import { unstoredCodes } from '../data/account/unstored-keys.ts'
import { isAdmin, sessionEnded, useUser } from '../data/account/user.ts'
import { useStore } from '../data/store.ts'
import { FactorControls } from '../parts/console/factor/factor-controls.ts'
import { FactorSetup } from '../parts/console/factor/factor-setup.ts'
import { RecoveryCodes } from '../parts/console/factor/recovery-codes.ts'
import { SignIn } from '../parts/forms/sign-in.ts'
import { h, html, type View } from '../parts/html.ts'
import { empty, skeleton, whenLoaded } from '../parts/state.ts'

/** The authenticator app of an admin: set up, recover, renew, remove. */
export default function SecondFactor(): View {
  const user = useUser()
  const ended = useStore(sessionEnded)
  const codes = useStore(unstoredCodes)
  return html`<div class="page"><div class="page-head"><div><a class="crumb" href="/console">Console</a><h1>Second factor</h1><p class="lede">An app on your phone whose codes you need, besides your mailbox, to sign in as admin.</p></div></div>
    <div class="factor">${
      codes
        ? h(RecoveryCodes, { codes })
        : !user
          ? h(SignIn, { ended })
          : isAdmin(user)
            ? h(Factor, {})
            : html`<div class="card">${empty('Only admins of this service have a second factor here.', html`<a class="button" href="/console">Back to your agents</a>`)}</div>`
    }</div></div>`
}

function Factor(): View {
  const factor = useFactor(true)
  return whenLoaded(
    factor,
    (data) => (data.isEnrolled ? h(FactorControls, { factor: data }) : h(FactorSetup, data)),
    skeleton('100%', '200px'),
  )
}
