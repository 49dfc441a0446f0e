import { useState } from 'preact/hooks'
import { useSessionEnd } from '../../../data/account/user.ts'
import { setPolicy, usePolicy } from '../../../data/policy/policy.ts'
import { isPaused, type Policy, paused, resumed } from '../../../data/policy/rules.ts'
import { useNetwork, useValidators } from '../../../data/queries.ts'
import { formatDateTime, plural } from '../../format.ts'
import { Confirm } from '../../forms/confirm.ts'
import { h, html, type View } from '../../html.ts'
import { describeError, skeleton, whenLoaded } from '../../state.ts'
import { type Names, namesOf } from '../validator-names.ts'
import { PolicyForm } from './policy-form.ts'
import { PolicyHistory } from './policy-history.ts'
import { loosenText, ruleText } from './rule-text.ts'

type Props = {
  readonly id: string
  readonly agentName: string
}

/** What the agent is held to, in words, with a way to stop it, to change it, and to see what it was before. */
export function AgentPolicy({ id, agentName }: Props): View {
  const policy = usePolicy(id)
  useSessionEnd(policy)
  const network = useNetwork().data
  const validators = useValidators().data?.data
  const [isEdited, setIsEdited] = useState(false)
  const names = namesOf(validators ?? [])
  return html`<section class="section" aria-labelledby="policy">${whenLoaded(
    policy,
    (data) => html`<div class="section-head"><h2 id="policy">Policy</h2>
        ${!isEdited && html`<div class="row">${h(PauseButton, { id, policy: data })}<button type="button" class="button" data-size="small" onClick=${() => setIsEdited(true)}>${data === null ? 'Set a policy' : 'Change the policy'}</button></div>`}</div>
      ${
        isEdited && network && validators
          ? h(PolicyForm, {
              id,
              agentName,
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

/** Read when it is opened. */
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

function policyText(policy: Policy | null, names: Names): View {
  if (policy === null)
    return html`<p class="soft">None. The agent may build whatever the chain accepts. A policy says what it may do: which actions and validators, how much at a time and in a day, when, and above which amount you are asked first.</p>`
  const isAllowing = policy.rules.some(({ rule }) => rule === 'actions')
  return html`<ul class="rules">${!isAllowing && html`<li>No action is allowed: it may build nothing.</li>`}${policy.rules.map((rule) => html`<li key=${rule.rule} data-rule=${rule.rule}>${ruleText(rule, names)}</li>`)}</ul>
    ${policy.beside.length > 0 && html`<p class="notice" data-tone="attention">${besideText(policy)}</p>`}
    <p class="small soft">Revision ${String(policy.revision)}. All rules must hold; what no rule allows is refused. ${loosenText(policy.loosenAfterSeconds)}</p>`
}

const besideText = ({ beside }: Policy): string =>
  beside
    .map(
      ({ revision, until }) =>
        `Revision ${revision} still holds beside it until ${formatDateTime(Date.parse(until))}.`,
    )
    .join(' ')

/** Stopping takes one press, since it costs time and not money; letting it go on asks first. */
function PauseButton({ id, policy }: { readonly id: string; readonly policy: Policy | null }): View {
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const pause = async () => {
    setIsBusy(true)
    setProblem(undefined)
    await setPolicy(id, policy, paused(policy)).catch((error: unknown) => setProblem(describeError(error)))
    setIsBusy(false)
  }
  if (policy && isPaused(policy))
    return h(Confirm, {
      label: 'Let it go on',
      size: 'small',
      effect:
        policy.loosenAfterSeconds === 0
          ? 'The agent may build again at once, under the other rules of its policy.'
          : `The agent may build again under the other rules of its policy. ${loosenText(policy.loosenAfterSeconds)}`,
      confirm: 'Go on',
      run: () => setPolicy(id, policy, resumed(policy)),
    })
  return html`${problem !== undefined && html`<span class="bad small" role="alert">${problem}</span>`}<button type="button" class="button" data-size="small" data-kind="danger" disabled=${isBusy} onClick=${pause}>Pause</button>`
}
