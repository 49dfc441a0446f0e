import { useEffect, useRef, useState } from 'preact/hooks'
import { isOnlyStop, isSamePolicy } from '../../../data/policy/changes.ts'
import { type Draft, type KnownToForm, toDraft } from '../../../data/policy/draft.ts'
import { mergeDraft } from '../../../data/policy/merge-draft.ts'
import { setPolicy } from '../../../data/policy/policy.ts'
import { readDraft } from '../../../data/policy/read-draft.ts'
import { isPaused, type Policy, type PolicyDocument } from '../../../data/policy/rules.ts'
import { dropDraft, loadDraft, storeDraft } from '../../../data/policy/stored-draft.ts'
import type { Network, Validator } from '../../../data/queries.ts'
import { codeBlock } from '../../code.ts'
import { focusPart } from '../../focus.ts'
import { Confirm } from '../../forms/confirm.ts'
import { h, html, type View } from '../../html.ts'
import { nameText } from '../../validator-link.ts'
import { namesOf } from '../validator-names.ts'
import { amountFields } from './amount-fields.ts'
import { problemsText } from './field-labels.ts'
import { policyChanges } from './policy-changes.ts'
import { placeFields, timeFields, validatorFields, whatFields } from './policy-fields.ts'
import { loosenText } from './rule-text.ts'

type Props = {
  readonly id: string
  readonly agentName: string
  /** Whether its owner gets mails. */
  readonly isMailed: boolean
  readonly policy: Policy | null
  readonly network: Network
  readonly validators: readonly Validator[]
  readonly close: () => void
}

/** A form with a field for every rule. Shows the changes in words before they are confirmed. */
export function PolicyForm({ id, agentName, isMailed, policy, network, validators, close }: Props): View {
  const [form, setForm] = useState(() => opened(id, policy, { ...network, validators }))
  const latest = useRef(form)
  const { shown, draft, isKept } = form
  const update = (part: Partial<Form>) => {
    latest.current = { ...latest.current, ...part }
    // Stored at once, not in an effect: the page may be reloaded before the next paint.
    keep(latest.current)
    setForm(latest.current)
  }
  const change = (part: Partial<Draft>) => update({ draft: { ...latest.current.draft, ...part } })
  useEffect(() => {
    // The agent can be paused while the form is open: the draft then continues from the new revision.
    if (policy && policy.revision !== shown?.revision && isOnlyStop(shown, policy))
      update({
        shown: policy,
        draft: { ...latest.current.draft, paused: isPaused(policy) },
        isStoppedMeanwhile: true,
      })
  }, [policy])
  const isBehind = policy !== null && policy.revision !== shown?.revision && !isOnlyStop(shown, policy)
  const takeOver = (newer: Policy) => {
    const known = { ...network, validators }
    const base = toDraft(shown, known)
    update({ shown: newer, draft: mergeDraft(base, latest.current.draft, toDraft(newer, known)) })
  }
  const leave = () => {
    dropDraft(id)
    close()
  }
  const read = readDraft(draft, { ...network, validators }, Date.now())
  const problems = read.kind === 'problems' ? read.problems : {}
  const fields = { draft, change, problems, notes: read.notes, network, validators, isMailed }
  const save = (document: PolicyDocument) => async () => {
    await setPolicy(id, shown, document)
    leave()
    requestAnimationFrame(() => focusPart('policy'))
  }
  return html`<div class="card policy-form" role="group" aria-label="Policy of the agent">
    ${isKept && html`<p class="notice" role="status">These changes were kept in this tab. They do not apply until you set them.</p>`}
    <p class="small soft">Fill in only what you want to limit. Nothing applies before you have read and confirmed what changes.</p>
    ${isBehind && newerText(policy)}${shown && form.isStoppedMeanwhile && !isBehind && stopText(shown)}
    ${whatFields(fields)}${amountFields(fields)}${validatorFields(fields)}${timeFields(fields)}${placeFields(fields)}
    <div class="policy-end stack">
      ${read.kind === 'problems' ? html`<p class="bad small" role="alert">${`Something is not right yet: ${problemsText(problems)}`}</p>` : review(read.document)}
      <div class="actions-list">${read.kind === 'ok' && isChanged(read.document) && !isBehind && confirm(read.document)}<button type="button" class="button" onClick=${leave}>Discard the change</button></div>
    </div>
  </div>`

  /** Says that somebody else has set a newer revision, and offers to merge the draft into it. */
  function newerText(newer: Policy): View {
    return html`<div class="notice beside" data-tone="attention" role="status"><p>The policy was changed meanwhile: revision ${String(newer.revision)} holds. It differs from the one that you began with:</p>
      ${policyChanges(shown, newer, namesOf(validators))}
      <p>What you wrote is kept. Put it on top of that revision, and read what it changes then; fields that you have not touched are as they hold now.</p>
      <div class="row"><button type="button" class="button" onClick=${() => takeOver(newer)}>Put it on top of revision ${String(newer.revision)}</button></div></div>`
  }

  function keep({ shown, draft }: Form): void {
    const isBegun = JSON.stringify(draft) !== JSON.stringify(toDraft(shown, { ...network, validators }))
    if (isBegun) storeDraft(id, { shown, draft })
    else dropDraft(id)
  }

  function isChanged(document: PolicyDocument): boolean {
    return !shown || !isSamePolicy(shown, document)
  }

  function review(document: PolicyDocument): View {
    if (!isChanged(document)) return html`<p class="small soft" role="status">Nothing is changed yet.</p>`
    return html`<div class="stack"><h3>What changes</h3>${policyChanges(shown, document, namesOf(validators))}
      <details><summary>The same as JSON</summary>${codeBlock(JSON.stringify(document, null, 2), 'the policy as JSON')}</details></div>`
  }

  function confirm(document: PolicyDocument): View {
    return h(Confirm, {
      label: shown ? 'Change the policy' : 'Set the policy',
      kind: 'primary',
      effect: html`The policy applies to <strong>${nameText(agentName)}</strong> from now on, on every instance. ${shown && shown.loosenAfterSeconds > 0 ? loosenText(shown.loosenAfterSeconds) : ''} ${isMailed ? 'Its owner gets a mail about the change.' : 'The change stands in the history of the policy.'}`,
      confirm: 'Set it',
      run: save(document),
    })
  }
}

type Form = {
  /** The policy that the draft is based on: if somebody else has changed it since, it is not overwritten. */
  readonly shown: Policy | null
  readonly draft: Draft
  /** Whether the draft was restored from the tab's storage. */
  readonly isKept: boolean
  /** Whether the agent was paused or resumed since the form was opened. */
  readonly isStoppedMeanwhile: boolean
}

/** Says that the agent was paused or resumed while the form was open, and that the draft has taken this over. */
function stopText(shown: Policy): View {
  const [was, stays] = isPaused(shown) ? ['paused', 'paused'] : ['resumed', 'running']
  return html`<p class="notice" data-tone="attention" role="status">The agent was ${was} meanwhile, in revision ${String(shown.revision)}, and nothing else was changed. “Set it” leaves it ${stays} and changes what is listed below.</p>`
}

function opened(id: string, policy: Policy | null, known: KnownToForm): Form {
  const draft = toDraft(policy, known)
  const kept = loadDraft(id, draft)
  return kept
    ? { ...kept, isKept: true, isStoppedMeanwhile: false }
    : { shown: policy, draft, isKept: false, isStoppedMeanwhile: false }
}
