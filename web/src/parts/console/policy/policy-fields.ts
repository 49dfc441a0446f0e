import { NETWORK_NAMES } from '@stakewright/contract/networks'
import { ACTIONS, DAYS } from '@stakewright/contract/rule-values'
import type { Draft } from '../../../data/policy/draft.ts'
import type { Notes, Problems } from '../../../data/policy/read-draft.ts'
import type { Network, Validator } from '../../../data/queries.ts'
import { formatExactNumber, formatSpan } from '../../format.ts'
import { Field, inputValue } from '../../forms/field.ts'
import { h, html, type View } from '../../html.ts'
import { FIELD_LABELS } from './field-labels.ts'
import { DAY_NAMES } from './rule-text.ts'

export type FieldsProps = {
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
  readonly problems: Problems
  readonly notes: Notes
  readonly network: Network
  readonly validators: readonly Validator[]
  /** Whether the owner gets mails. */
  readonly isMailed: boolean
}

/** A group of checkboxes. The chosen values are in the order of `all`. */
function boxes<T extends string>(
  legend: string,
  all: readonly T[],
  chosen: readonly T[],
  {
    set,
    text = (one) => one,
    hint,
    problem,
  }: {
    readonly set: (chosen: readonly T[]) => void
    readonly text?: (one: T) => string
    readonly hint?: string
    readonly problem?: string | undefined
  },
): View {
  const toggle = (one: T) => set(all.filter((each) => chosen.includes(each) !== (each === one)))
  return html`<fieldset class="field"><legend>${legend}</legend><div class="boxes">${all.map((one) => html`<label class="check"><input type="checkbox" checked=${chosen.includes(one)} onChange=${() => toggle(one)} />${text(one)}</label>`)}</div>
    ${hint && html`<p class="hint">${hint}</p>`}${problem && html`<p class="problem" role="alert">${problem}</p>`}</fieldset>`
}

type TextOptions = {
  readonly value: string
  readonly set: (text: string) => void
  readonly hint?: View
  readonly problem?: string | undefined
  readonly unit?: string
}

const textField = (label: string, { value, set, hint, problem, unit }: TextOptions): View =>
  h(Field, {
    label,
    hint,
    problem,
    children: (props) =>
      html`<span class="unit-field"><input ...${props} class="input" inputmode="decimal" autocomplete="off" placeholder="no limit" value=${value} onInput=${(event: Event) => set(inputValue(event))} />${unit && html`<span class="unit">${unit}</span>`}</span>`,
  })

const linesField = (label: string, { value, set, hint, problem }: TextOptions): View =>
  h(Field, {
    label,
    hint,
    problem,
    children: (props) =>
      html`<textarea ...${props} class="textarea short" spellcheck=${false} placeholder="one per line" value=${value} onInput=${(event: Event) => set(inputValue(event))}></textarea>`,
  })

export const group = (title: string, fields: View): View =>
  html`<fieldset class="policy-group"><legend>${title}</legend><div class="policy-fields">${fields}</div></fieldset>`

export const whatFields = ({ draft, change }: FieldsProps): View =>
  group(
    'What it may do',
    html`${boxes('Actions', ACTIONS, draft.actions, { set: (actions) => change({ actions }), hint: 'With none, it builds nothing and may still read.' })}
      <fieldset class="field"><legend>Stop</legend><label class="check"><input type="checkbox" checked=${draft.paused} onChange=${() => change({ paused: !draft.paused })} />paused</label><p class="hint">Nothing is built until you take it back.</p></fieldset>`,
  )

export function validatorFields({ draft, change, problems }: FieldsProps): View {
  return group(
    'Which validators',
    html`${linesField(FIELD_LABELS.allow, { value: draft.allow, set: (allow) => change({ allow }), problem: problems.allow, hint: 'Names or ids. Empty: all of them.' })}
      ${linesField(FIELD_LABELS.deny, { value: draft.deny, set: (deny) => change({ deny }), problem: problems.deny, hint: 'Stake that is there already may be withdrawn.' })}
      ${textField(FIELD_LABELS.maxShare, { value: draft.maxShare, set: (maxShare) => change({ maxShare }), problem: problems.maxShare, unit: '%', hint: 'Of all that the sender has staked.' })}
      ${textField(FIELD_LABELS.minScore, { value: draft.minScore, set: (minScore) => change({ minScore }), problem: problems.minScore })}
      ${textField(FIELD_LABELS.maxCommission, { value: draft.maxCommission, set: (maxCommission) => change({ maxCommission }), problem: problems.maxCommission, unit: '%' })}
      ${textField(FIELD_LABELS.minValidators, { value: draft.minValidators, set: (minValidators) => change({ minValidators }), problem: problems.minValidators })}`,
  )
}

type HourNotes = { readonly problem?: string | undefined; readonly hint?: string | undefined }

const HOURS = Array.from({ length: 25 }, (_, hour) => hour)

function hourField(label: string, value: string, set: (text: string) => void, notes: HourNotes = {}): View {
  const hours = label === 'From' ? HOURS.slice(0, -1) : HOURS.slice(1)
  return h(Field, {
    label,
    ...notes,
    children: (props) =>
      html`<select ...${props} class="select" value=${value} onChange=${(event: Event) => set(inputValue(event))}>${hours.map((hour) => html`<option value=${String(hour)}>${String(hour).padStart(2, '0')}:00 UTC</option>`)}</select>`,
  })
}

export function timeFields({ draft, change, problems }: FieldsProps): View {
  return group(
    'When',
    html`${boxes(FIELD_LABELS.days, DAYS, draft.days, { set: (days) => change({ days }), text: (day) => DAY_NAMES[day].slice(0, 3), problem: problems.days })}
      ${hourField('From', draft.from, (from) => change({ from }))}
      ${hourField(FIELD_LABELS.to, draft.to, (to) => change({ to }), { problem: problems.to, hint: Number(draft.to) < Number(draft.from) ? 'On the next day.' : undefined })}
      ${h(Field, { label: FIELD_LABELS.expires, hint: 'From then on nothing is built. Empty: no end.', problem: problems.expires, children: (props) => html`<input ...${props} class="input" type="datetime-local" step="60" value=${draft.expires} onInput=${(event: Event) => change({ expires: inputValue(event) })} />` })}`,
  )
}

const LOOSENING = [
  [0, 'at once'],
  [3_600, 'after an hour'],
  [86_400, 'after a day'],
  [604_800, 'after a week'],
] as const

/** Other values come from the API; a span has two units, so the seconds stand beside it. */
const afterText = (seconds: number): string =>
  seconds < 60
    ? `after ${seconds} s`
    : `after ${formatSpan(seconds * 1_000)} (${formatExactNumber(seconds)} s)`

export function placeFields({ draft, change, problems, isMailed }: FieldsProps): View {
  const { loosenAfterSeconds: current } = draft
  const choices = LOOSENING.some(([seconds]) => seconds === current)
    ? LOOSENING
    : ([...LOOSENING, [current, afterText(current)]] as const)
  return group(
    'Who and where',
    html`${linesField(FIELD_LABELS.senders, { value: draft.senders, set: (senders) => change({ senders }), problem: problems.senders, hint: 'Addresses. Empty: anybody.' })}
      ${linesField(FIELD_LABELS.recipients, { value: draft.recipients, set: (recipients) => change({ recipients }), problem: problems.recipients, hint: 'Addresses for what comes out. That is who signs, always.' })}
      ${boxes('Networks', NETWORK_NAMES, draft.networks, { set: (networks) => change({ networks }), hint: 'With none, all.' })}
      ${h(Field, { label: 'A change that allows more takes effect', hint: `A later change that allows more waits so long, so that you see ${isMailed ? 'the mail' : 'it here'} in time. Tightening always takes effect at once.`, children: (props) => html`<select ...${props} class="select" value=${String(current)} onChange=${(event: Event) => change({ loosenAfterSeconds: Number(inputValue(event)) })}>${choices.map(([seconds, text]) => html`<option value=${String(seconds)}>${text}</option>`)}</select>` })}`,
  )
}
