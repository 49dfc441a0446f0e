import { useState } from 'preact/hooks'
import { setPolicy, usePolicy } from '../../../data/policy/policy.ts'
import { isPaused, type Policy, paused, resumed } from '../../../data/policy/rules.ts'
import { hasStoredDraft } from '../../../data/policy/stored-draft.ts'
import { useNetwork, useValidators } from '../../../data/queries.ts'
import { plural } from '../../format.ts'
import { Confirm } from '../../forms/confirm.ts'
import { h, html, type View } from '../../html.ts'
import { skeleton, whenLoaded } from '../../state.ts'
import { type Names, namesOf } from '../validator-names.ts'
import { PolicyForm } from './policy-form.ts'
import { PolicyHistory } from './policy-history.ts'
import { policyText } from './policy-text.ts'
import { loosenText } from './rule-text.ts'

type Props = {
  readonly id: string
  readonly agentName: string
  /** Whether its owner gets mails. */
  readonly isMailed: boolean
  /** Whether the agent is revoked or expired: its policy can then no longer change. */
  readonly isEnded: boolean
}

/** The agent's policy in words, with buttons to pause and to change it, and with its history. */
export function AgentPolicy({ id, agentName, isMailed, isEnded }: Props): View {
  const policy = usePolicy(id)
  const network = useNetwork().data
  const validators = useValidators().data?.data
  const [isEdited, setIsEdited] = useState(() => hasStoredDraft(id))
  const names = namesOf(validators ?? [])
  if (isEnded) return policy.data ? ended(id, policy.data, names) : null
  return html`<section class="section" aria-labelledby="policy">${whenLoaded(
    policy,
    (data) => html`<div class="section-head"><h2 id="policy">Policy</h2>
        <div class="row">${h(PauseButton, { id, policy: data })}${!isEdited && html`<button type="button" class="button" data-size="small" onClick=${() => setIsEdited(true)}>${data === null ? 'Set a policy' : 'Change the policy'}</button>`}</div></div>
      ${
        isEdited && network && validators
          ? h(PolicyForm, {
              id,
              agentName,
              isMailed,
              policy: data,
              network,
              validators,
              close: () => setIsEdited(false),
            })
          : policyText(data, names)
      }
      ${data !== null && h(History, { id, revision: data.revision, names })}`,
    html`<div class="section-head"><h2 id="policy">Policy</h2></div>${skeleton('100%', '96px')}`,
  )}</section>`
}

const ended = (id: string, policy: Policy, names: Names): View =>
  html`<section class="section" aria-labelledby="policy"><div class="section-head"><h2 id="policy">Policy at its end</h2></div>
    ${policyText(policy, names)}${h(History, { id, revision: policy.revision, names })}</section>`

/** The revisions are read when the history is opened. */
function History({
  id,
  revision,
  names,
}: {
  readonly id: string
  readonly revision: number
  readonly names: Names
}): View {
  const [isOpen, setIsOpen] = useState(false)
  const follow = ({ currentTarget }: Event) =>
    setIsOpen(currentTarget instanceof HTMLDetailsElement && currentTarget.open)
  return html`<details class="history" onToggle=${follow}><summary>History: ${plural(revision, 'revision')}</summary>${isOpen && h(PolicyHistory, { id, names })}</details>`
}

/** Pauses or resumes the agent. Either writes a revision of the policy, states its effect and asks for confirmation. */
function PauseButton({ id, policy }: { readonly id: string; readonly policy: Policy | null }): View {
  if (policy && isPaused(policy))
    return h(Confirm, {
      key: 'resume',
      label: 'Resume',
      size: 'small',
      effect:
        policy.loosenAfterSeconds === 0
          ? 'The agent may build again at once, under the other rules of its policy.'
          : `The agent may build again under the other rules of its policy. ${loosenText(policy.loosenAfterSeconds)}`,
      confirm: 'Resume now',
      run: () => setPolicy(id, policy, resumed(policy)),
    })
  return h(Confirm, {
    key: 'pause',
    label: 'Pause',
    size: 'small',
    kind: 'danger',
    effect: `The agent builds nothing from now on, until you resume it; it may still read. ${policy === null ? 'It gets a policy for that.' : 'Its policy gets a new revision; the other rules stay.'}`,
    confirm: 'Pause now',
    run: () => setPolicy(id, policy, paused(policy)),
  })
}
