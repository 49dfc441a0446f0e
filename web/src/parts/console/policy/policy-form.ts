import { useEffect, useRef, useState } from 'preact/hooks'
import { isOnlyStop, isSamePolicy } from '../../../data/policy/changes.ts'
import { type Draft, type KnownToForm, toDraft } from '../../../data/policy/draft.ts'
import { dropDraft, keepDraft, readKept } from '../../../data/policy/kept-draft.ts'
import { setPolicy } from '../../../data/policy/policy.ts'
import { readDraft } from '../../../data/policy/read-draft.ts'
import { isPaused, type Policy, type PolicyDocument } from '../../../data/policy/rules.ts'
import type { Network, Validator } from '../../../data/queries.ts'
import { codeBlock } from '../../code.ts'
import { focusPart } from '../../focus.ts'
import { Confirm } from '../../forms/confirm.ts'
import { h, html, type View } from '../../html.ts'
import { nameText } from '../../validator-link.ts'
import { namesOf } from '../validator-names.ts'
import { amountFields } from './amount-fields.ts'
import { policyChanges } from './policy-changes.ts'
import { placeFields, timeFields, validatorFields, whatFields } from './policy-fields.ts'
import { loosenText } from './rule-text.ts'

type Props = {
  readonly id: string
  readonly agentName: string
  /** Whether its owner is told of it by mail. */
  readonly isMailed: boolean
  readonly policy: Policy | null
  readonly network: Network
  readonly validators: readonly Validator[]
  readonly close: () => void
}

/** Every rule as a field. What changes is said in words before it holds. */
export function PolicyForm({ id, agentName, isMailed, policy, network, validators, close }: Props): View {
  const [form, setForm] = useState(() => opened(id, policy, { ...network, validators }))
  const latest = useRef(form)
  const { shown, draft, isKept } = form
  const update = (part: Partial<Form>) => {
    latest.current = { ...latest.current, ...part }
    // Kept at once, not after the next paint: a page may be reloaded before it.
    keep(latest.current)
    setForm(latest.current)
  }
  const change = (part: Partial<Draft>) => update({ draft: { ...latest.current.draft, ...part } })
  useEffect(() => {
    // Pausing must not wait for a form: what is written in it goes on from there.
    if (policy && policy.revision !== shown?.revision && isOnlyStop(shown, policy))
      update({ shown: policy, draft: { ...latest.current.draft, paused: isPaused(policy) } })
  }, [policy])
  const leave = () => {
    dropDraft(id)
    close()
  }
  const read = readDraft(draft, { ...network, validators })
  const problems = read.kind === 'problems' ? read.problems : {}
  const fields = { draft, change, problems, network, validators, isMailed }
  const save = (document: PolicyDocument) => async () => {
    await setPolicy(id, shown, document)
    leave()
    requestAnimationFrame(() => focusPart('policy'))
  }
  return html`<div class="card policy-form" role="group" aria-label="Policy of the agent">
    ${isKept && html`<p class="notice" role="status">These changes were kept in this tab. They do not hold until you set them.</p>`}
    <p class="small soft">Fill in only what you want to limit. Nothing holds before you have read what changes, and confirmed it.</p>
    ${whatFields(fields)}${amountFields(fields)}${validatorFields(fields)}${timeFields(fields)}${placeFields(fields)}
    <div class="policy-end stack">
      ${read.kind === 'problems' ? html`<p class="bad small" role="alert">${`Something is not right yet: ${Object.values(problems).join(' ')}`}</p>` : review(read.document)}
      <div class="actions-list">${read.kind === 'ok' && isChanged(read.document) && confirm(read.document)}<button type="button" class="button" onClick=${leave}>Leave it as it was</button></div>
    </div>
  </div>`

  function keep({ shown, draft }: Form): void {
    const isBegun = JSON.stringify(draft) !== JSON.stringify(toDraft(shown, { ...network, validators }))
    if (isBegun) keepDraft(id, { shown, draft })
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
      effect: html`<strong>${nameText(agentName)}</strong> is held to this from now on, on every instance. ${shown && shown.loosenAfterSeconds > 0 ? loosenText(shown.loosenAfterSeconds) : ''} ${isMailed ? 'Its owner gets a mail about the change.' : 'The change stands in the history of the policy.'}`,
      confirm: 'It shall hold',
      run: save(document),
    })
  }
}

type Form = {
  /** The policy as it was when the form was opened: one that somebody else has changed since is not overwritten. */
  readonly shown: Policy | null
  readonly draft: Draft
  /** Whether it was begun before this page was loaded, or left and opened again. */
  readonly isKept: boolean
}

function opened(id: string, policy: Policy | null, known: KnownToForm): Form {
  const draft = toDraft(policy, known)
  const kept = readKept(id, draft)
  return kept ? { ...kept, isKept: true } : { shown: policy, draft, isKept: false }
}
