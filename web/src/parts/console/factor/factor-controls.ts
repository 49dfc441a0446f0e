import { LIMITS } from '@stakewright/contract/limits'
import { useState } from 'preact/hooks'
import { type FactorState, hasFewCodes, removeApp, renewCodes } from '../../../data/account/second-factor.ts'
import { badge } from '../../badge.ts'
import { formatCount, formatDate } from '../../format.ts'
import { Confirm } from '../../forms/confirm.ts'
import { h, html, type View } from '../../html.ts'
import { codeField, typedCode } from './code-field.ts'

/** The state of a second factor that is set up, and what can be done with it. */
export function FactorControls({ factor }: { readonly factor: FactorState }): View {
  const { enrolledAt, recoveryCodesLeft, isRequired } = factor
  const isFew = hasFewCodes(factor)
  return html`<section class="card stack" aria-labelledby="factor-state"><div class="row spread"><h2 id="factor-state">Authenticator app</h2>${badge('set up', 'good')}</div>
    <p>Each time you sign in, you are asked for a code of it${enrolledAt === null ? '' : `, since ${formatDate(Date.parse(enrolledAt))}`}.</p>
    <p class=${isFew ? 'attention' : undefined}>${formatCount(recoveryCodesLeft)} of ${formatCount(LIMITS.recoveryCodes)} recovery codes are left.${isFew ? ' Make new ones before you need them.' : ''}</p>
    <div class="actions-list">${h(WithCode, {
      label: 'Make new recovery codes',
      effect: `You get ${LIMITS.recoveryCodes} new codes, shown once. The ones you have stop working.`,
      confirm: 'Replace them',
      run: renewCodes,
    })}${h(WithCode, {
      label: 'Remove the app',
      effect: isRequired
        ? 'Signing in takes no code of the app any more. This service wants a second factor of every admin: until you set one up again, you can do nothing else.'
        : 'Signing in takes no code of the app any more: who has your mailbox is an admin. The recovery codes end, too.',
      confirm: 'Remove it now',
      kind: 'danger',
      orRecovery: true,
      run: removeApp,
    })}</div></section>`
}

type WithCodeProps = {
  readonly label: string
  readonly effect: string
  readonly confirm: string
  readonly kind?: 'danger'
  readonly orRecovery?: boolean
  readonly run: (code: string) => Promise<void>
}

/** A confirmation that takes a code. */
function WithCode({ orRecovery = false, run, ...question }: WithCodeProps): View {
  const [code, setCode] = useState('')
  const act = async () => {
    await run(typedCode(code))
    setCode('')
  }
  return h(Confirm, {
    ...question,
    run: act,
    children: codeField({ value: code, set: setCode, orRecovery }),
  })
}
