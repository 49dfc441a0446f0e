import { useState } from 'preact/hooks'
import { isSamePolicy } from '../../../data/policy/changes.ts'
import { type Draft, toDraft } from '../../../data/policy/draft.ts'
import { setPolicy } from '../../../data/policy/policy.ts'
import { readDraft } from '../../../data/policy/read-draft.ts'
import type { Policy, PolicyDocument } from '../../../data/policy/rules.ts'
import type { Network, Validator } from '../../../data/queries.ts'
import { codeBlock } from '../../code.ts'
import { focusTitle } from '../../focus.ts'
import { Confirm } from '../../forms/confirm.ts'
import { h, html, type View } from '../../html.ts'
import { nameText } from '../../validator-link.ts'
import { namesOf } from '../validator-names.ts'
import { policyChanges } from './policy-changes.ts'
import { amountFields, placeFields, timeFields, validatorFields, whatFields } from './policy-fields.ts'
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
  // The policy as it was when the form was opened: one that somebody else has changed since is not overwritten.
  const [shown] = useState(policy)
  const [draft, setDraft] = useState<Draft>(() => toDraft(shown, { ...network, validators }))
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const read = readDraft(draft, { ...network, validators })
  const problems = read.kind === 'problems' ? read.problems : {}
  const fields = { draft, change, problems, network, validators, isMailed }
  const save = (document: PolicyDocument) => async () => {
    await setPolicy(id, shown, document)
    close()
    requestAnimationFrame(focusTitle)
  }
  return html`<div class="card policy-form" role="group" aria-label="Policy of the agent">
    ${whatFields(fields)}${amountFields(fields)}${validatorFields(fields)}${timeFields(fields)}${placeFields(fields)}
    <div class="policy-end stack">
      ${read.kind === 'problems' ? html`<p class="bad small" role="alert">${`Something is not right yet: ${Object.values(problems).join(' ')}`}</p>` : review(read.document)}
      <div><button type="button" class="button" onClick=${close}>Leave it as it was</button></div>
    </div>
  </div>`

  function review(document: PolicyDocument): View {
    if (shown && isSamePolicy(shown, document))
      return html`<p class="small soft" role="status">Nothing is changed yet.</p>`
    const names = namesOf(validators)
    return html`<div class="stack"><h3>What changes</h3>${policyChanges(shown, document, names)}
      ${h(Confirm, {
        label: shown ? 'Change the policy' : 'Set the policy',
        kind: 'primary',
        effect: html`<strong>${nameText(agentName)}</strong> is held to this from now on, on every instance. ${shown && shown.loosenAfterSeconds > 0 ? loosenText(shown.loosenAfterSeconds) : ''} ${isMailed ? 'Its owner gets a mail about the change.' : 'The change stands in the history of the policy.'}`,
        confirm: 'It shall hold',
        run: save(document),
      })}
      <details><summary>The same as JSON</summary>${codeBlock(JSON.stringify(document, null, 2), 'the policy as JSON')}</details></div>`
  }
}
