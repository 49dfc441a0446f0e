import { ACTIONS, DAYS, MOVING_ACTIONS } from '@stakewright/contract/rule-values'
import type { Action, Day, MovingAction, PolicyRule, RuleOf, Window } from '../../../data/policy/rules.ts'
import { ExactAmount } from '../../amount.ts'
import { formatCount, formatExactNumber, formatExactShare, formatSpan, formatUtc } from '../../format.ts'
import { h, html, type View } from '../../html.ts'
import { type Names, validatorText } from '../validator-names.ts'

type Texts = { readonly [Name in PolicyRule['rule']]: (rule: RuleOf<Name>, names: Names) => View }

/** Each rule as a sentence. */
const TEXTS: Texts = {
  actions: ({ allow }) =>
    allow.length === ACTIONS.length
      ? 'It may stake, unstake, withdraw and join staked tokens.'
      : `It may only ${listed(allow.map(actionText), 'and')}.`,
  networks: ({ allow }) => `Only on ${orList(allow)}.`,
  validators: ({ allow, deny }, names) =>
    html`${allow && html`Stake may go only to ${validatorList(allow, names)}.`}${allow && deny && ' '}${deny && html`No stake may go to ${validatorList(deny, names)}; stake that is there may be withdrawn.`}`,
  maxPerTx: ({ amount, actions }) =>
    html`At most ${h(ExactAmount, { value: amount })} in one transaction${countedText(actions)}.`,
  maxPerWindow: ({ amount, window, actions }) =>
    html`At most ${h(ExactAmount, { value: amount })} ${WINDOW_TEXTS[window]}${countedText(actions)}.`,
  maxShare: ({ share }) =>
    `No validator that receives stake may then hold more than ${formatExactShare(share)} of all that the sender has staked.`,
  minScore: ({ score }) =>
    `Stake goes only to validators with a score of at least ${formatExactNumber(score)}.`,
  maxCommission: ({ commission }) =>
    `Stake goes only to validators whose commission, present or announced, is at most ${formatExactShare(commission)}.`,
  minValidators: ({ validators }) =>
    `After each transaction the stake lies with at least ${formatCount(validators)} validators or with more than before, or all of it is taken out.`,
  hours: ({ days, from, to }) => `Only ${daysText(days)}${hoursText(from, to)}.`,
  senders: ({ allow }) => html`Only ${addressList(allow)} may sign.`,
  recipients: ({ allow }) => html`Coins paid out may go only to ${addressList(allow)}.`,
  approvalAbove: ({ amount, actions }) =>
    html`You are asked first above ${h(ExactAmount, { value: amount })} in one transaction${countedText(actions)}.`,
  paused: () => html`<strong>Paused:</strong> nothing may be built.`,
  expires: ({ at }) => `It ends on ${formatUtc(Date.parse(at))}; from then on nothing may be built.`,
}

export function ruleText<Name extends PolicyRule['rule']>(rule: RuleOf<Name>, names: Names): View {
  const name: Name = rule.rule
  return TEXTS[name](rule, names)
}

export const WINDOW_TEXTS: Readonly<Record<Window, string>> = {
  hour: 'within 60 minutes',
  day: 'within 24 hours',
  epoch: 'within an epoch',
  '30days': 'within 30 days',
}

/** Which actions a limit counts: one that counts unstaking stops exits as well. */
export const countedText = (actions: readonly MovingAction[]): string =>
  `, counting what it would ${orList(MOVING_ACTIONS.filter((action) => actions.includes(action)))}`

const listed = (items: readonly string[], word: 'and' | 'or'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`
const orList = (items: readonly string[]): string => listed(items, 'or')

const actionText = (action: Action): string => (action === 'join' ? 'join staked tokens' : action)

/** Further items are counted instead of named. */
const MAX_NAMED = 6

function joined(items: readonly View[]): View {
  const shown = items.slice(0, MAX_NAMED)
  const more = items.length - shown.length
  return html`${shown.map((item, index) => html`${index > 0 ? (index === shown.length - 1 && more === 0 ? ' or ' : ', ') : ''}${item}`)}${more > 0 ? ` or ${formatCount(more)} more` : ''}`
}

const validatorList = (ids: readonly string[], names: Names): View =>
  joined(ids.map((id) => (names.size === 0 || names.has(id) ? validatorText(id, names) : unknownText(id))))

/** Shows the whole id, so that it can be compared: a mistyped id does not name the intended validator. */
const unknownText = (id: string): View =>
  html`<span class="id" data-whole="true">${id}</span> <span class="attention">(no validator has this id now)</span>`

const addressList = (addresses: readonly string[]): View =>
  joined(addresses.map((one) => html`<span class="id" data-whole="true">${one}</span>`))

export const DAY_NAMES: Readonly<Record<Day, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

function daysText(days: readonly Day[]): string {
  if (days.length === DAYS.length) return 'every day'
  const places = days.map((day) => DAYS.indexOf(day)).toSorted((a, b) => a - b)
  const [first = 0, last = 0] = [places[0], places.at(-1)]
  const isRow = days.length > 2 && last - first === days.length - 1
  const name = (place: number) => DAY_NAMES[DAYS[place] ?? 'mon']
  return isRow ? `${name(first)} to ${name(last)}` : `on ${orList(places.map(name))}`
}

const hoursText = (from: number, to: number): string =>
  from === 0 && to === 24
    ? ', UTC'
    : `, ${hour(from)} to ${hour(to)} UTC${to > from ? '' : ' of the next day'}`

const hour = (value: number): string => `${String(value).padStart(2, '0')}:00`

export const NEVER_ASKED =
  'You are never asked: the amount from which you would be asked is not below what the other rules allow at most.'

/** How long loosening takes. */
export const loosenText = (seconds: number): string =>
  seconds === 0
    ? 'A change of this policy holds at once.'
    : `When this policy is loosened, it stays in force for ${formatSpan(seconds * 1000)}; what is tightened applies at once.`
