import { MOVING_ACTIONS, WINDOWS } from '@stakewright/contract/rule-values'
import type { Amounted } from '../../../data/policy/draft.ts'
import { limitsExits, type MovingAction } from '../../../data/policy/rules.ts'
import { Field, inputValue } from '../../forms/field.ts'
import { h, html, type View } from '../../html.ts'
import { FIELD_LABELS } from './field-labels.ts'
import { type FieldsProps, group } from './policy-fields.ts'
import { WINDOW_TEXTS } from './rule-text.ts'

/** The sets of actions that a limit may count, the usual ones first. */
const CHOICES: readonly (readonly MovingAction[])[] = [
  MOVING_ACTIONS,
  ['stake'],
  ['unstake', 'withdraw'],
  ['stake', 'unstake'],
  ['stake', 'withdraw'],
  ['unstake'],
  ['withdraw'],
]

const choiceText = (actions: readonly MovingAction[]): string =>
  actions.length === MOVING_ACTIONS.length
    ? 'counts all three actions'
    : `counts ${actions.join(', ')}${actions.length === 1 ? ' only' : ''}`

const keyOf = (actions: readonly MovingAction[]): string =>
  MOVING_ACTIONS.filter((action) => actions.includes(action)).join()

type Limit = {
  readonly field: Amounted
  readonly value: string
  readonly set: (text: string) => void
  /** The label of the choice of counted actions. */
  readonly counts: string
  readonly hint?: string
  /** The consequence if taking stake out counts as well. */
  readonly exits: string
}

export function amountFields(props: FieldsProps): View {
  const { draft, change, isMailed } = props
  return group(
    'How much',
    html`${limitField(FIELD_LABELS.maxPerTx, props, { field: 'maxPerTx', value: draft.maxPerTx, set: (maxPerTx) => change({ maxPerTx }), counts: 'What counts in one transaction', exits: 'more cannot be taken out at a time, either.' })}
      ${WINDOWS.map((window) =>
        limitField(FIELD_LABELS[window], props, {
          field: window,
          value: draft.windows[window],
          set: (text) => change({ windows: { ...draft.windows, [window]: text } }),
          counts: `What counts ${WINDOW_TEXTS[window]}`,
          exits: 'more cannot be taken out in that time, either, and stake that moves may count three times.',
        }),
      )}
      ${limitField(FIELD_LABELS.approvalAbove, props, { field: 'approvalAbove', value: draft.approvalAbove, set: (approvalAbove) => change({ approvalAbove }), counts: 'What you are asked about', hint: isMailed ? 'You get a mail, and nothing is built until you approve.' : 'The request waits in the console, and nothing is built until you approve. No mail comes: a wallet has no mail address.', exits: 'taking out more waits for you as well.' })}`,
  )
}

/** An amount, and once there is one, which actions it counts. */
function limitField(label: string, props: FieldsProps, limit: Limit): View {
  const { draft, change, problems, notes, network } = props
  const { field, value, set, counts, hint, exits } = limit
  const counted = draft.counted[field] ?? MOVING_ACTIONS
  const choose = (event: Event) => {
    const chosen = CHOICES.find((actions) => keyOf(actions) === inputValue(event))
    if (chosen) change({ counted: { ...draft.counted, [field]: chosen } })
  }
  return h(Field, {
    label,
    hint: notes[field] ?? hint,
    problem: problems[field],
    children: (input) =>
      html`<span class="unit-field"><input ...${input} class="input" inputmode="decimal" autocomplete="off" placeholder="no limit" value=${value} onInput=${(event: Event) => set(inputValue(event))} /><span class="unit">${network.symbol}</span></span>
      ${value.trim() !== '' && html`<select class="select" aria-label=${counts} value=${keyOf(counted)} onChange=${choose}>${CHOICES.map((actions) => html`<option value=${keyOf(actions)}>${choiceText(actions)}</option>`)}</select>${limitsExits(counted) && html`<p class="hint attention">Taking stake out counts: ${exits}</p>`}`}`,
  })
}
