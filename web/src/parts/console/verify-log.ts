import type { Reply } from '@stakewright/client'
import { useState } from 'preact/hooks'
import { describeError } from '../../data/errors/describe-error.ts'
import { call } from '../../data/service.ts'
import { formatCount, formatTime, plural } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { SignedAt } from './service-health.ts'

type Proof = Reply<'verifyAudit'>['data']
type State =
  | { readonly kind: 'idle' | 'reading' }
  | { readonly kind: 'done'; readonly proof: Proof }
  | { readonly kind: 'failed'; readonly error: unknown }

/** A button that has the whole audit log read, and what that has shown. */
export function VerifyLog(): View {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const verify = () => {
    setState({ kind: 'reading' })
    call((client) => client.verifyAudit()).then(
      ({ data }) => setState({ kind: 'done', proof: data }),
      (error: unknown) => setState({ kind: 'failed', error }),
    )
  }
  return html`<div class="card row spread verify"><div><strong>Audit log</strong> <span class="small soft">${h(SignedAt, {})}</span>
      <p class="small" role="status">${stateText(state)}</p></div>
    <button type="button" class="button" aria-disabled=${state.kind === 'reading'} onClick=${verify}>${state.kind === 'reading' ? 'Reading …' : 'Verify the log'}</button></div>`
}

function stateText(state: State): View {
  if (state.kind === 'done') return proofText(state.proof)
  if (state.kind === 'failed') return html`<span class="bad">${describeError(state.error)}</span>`
  return 'Reads the whole log and says whether anything in it was changed, dropped, added or cut off.'
}

function proofText({ isIntact, batches, checkpoints, from, to, reason, checkedAt }: Proof): View {
  const when = `Read at ${formatTime(Date.parse(checkedAt))}.`
  if (!isIntact)
    return html`<span class="bad"><strong>Not intact:</strong> ${reason}.</span> ${when} Copy the store before you change anything. <a href="/docs/limits">What the log proves</a>`
  const span = from === null ? '' : from === to ? ` of ${from}` : ` from ${from} to ${to}`
  return html`<span class="good"><strong>Intact:</strong></span> nothing in it was changed, dropped, added or cut off. ${when} It has ${plural(batches ?? 0, 'batch', 'batches')}${span}, ${formatCount(checkpoints ?? 0)} of them signed.`
}
