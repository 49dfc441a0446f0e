import type { AuditEntry } from '../../data/account/agents.ts'
import { inPlainWords } from '../../data/errors/plain-words.ts'
import { useNetwork, useValidators } from '../../data/queries.ts'
import { RULES } from '../../data/words/api-words.ts'
import { approvalPath } from '../../pages.ts'
import { badge } from '../badge.ts'
import { formatDateTime, formatExactNumber, formatExactShare, formatExactTokens } from '../format.ts'
import { h, html, type View } from '../html.ts'
import type { Coin } from '../typed/amount.ts'
import { type Names, namesOf, validatorText } from './validator-names.ts'

type Refusal = NonNullable<NonNullable<AuditEntry['build']>['refusal']>
type Broken = Refusal['broken'][number]

/** The outcome of a request and, for a build, why it was refused or which approval it waits for. */
export const outcomeView = (agentId: string, { status, build, approvalId }: AuditEntry): View =>
  html`${outcomeBadge(status)}${build?.refusal && h(WhyRefused, { refusal: build.refusal })}${
    approvalId !== null &&
    html`<span class="reason"><a href=${approvalPath(agentId, approvalId)}>${approvalWord(status)}</a></span>`
  }`

const OUTCOMES = {
  'no answer': 'attention',
  held: 'attention',
  answered: 'good',
  refused: 'attention',
  failed: 'bad',
} as const

function outcomeWord(status: AuditEntry['status']): keyof typeof OUTCOMES {
  if (status === null) return 'no answer'
  if (status === 202) return 'held'
  if (status < 400) return 'answered'
  return status < 500 ? 'refused' : 'failed'
}

function outcomeBadge(status: AuditEntry['status']): View {
  const word = outcomeWord(status)
  return badge(word, OUTCOMES[word])
}

const approvalWord = (status: AuditEntry['status']): string =>
  status === 202 ? 'Asked for this approval' : 'Its approval'

const WhyRefused = ({ refusal: { message, broken } }: { readonly refusal: Refusal }): View =>
  broken.length === 0
    ? html`<span class="reason soft">${inPlainWords(message)}</span>`
    : html`${broken.map((one) => html`<span class="reason soft">${h(BrokenText, one)}</span>`)}`

/** Rules whose sentence needs neither a limit nor a value. */
const WHOLE: Readonly<Record<string, string>> = {
  paused: 'It was paused.',
  expires: 'Its policy had ended.',
  oneTransactionPerToken: 'Another transaction for the same staked token may still be carried out.',
  openItems: 'Too many of its transactions may still be carried out.',
}
const RULE_NAMES: Readonly<Record<string, string>> = RULES

/** A rule that was broken, as a sentence: "amount per transaction: 20 SBX, 10 SBX allowed." */
function BrokenText({ rule, limit, actual, clearsAt }: Broken): View {
  const format = useRuleFormat(rule)
  const when = clearsAt === null ? '' : ` Allowed again from ${formatDateTime(Date.parse(clearsAt))} on.`
  if (rule === 'validators') return html`Rule “validators”: stake may not go to ${format(actual)}.`
  const sentence =
    WHOLE[rule] ?? html`Rule “${RULE_NAMES[rule] ?? rule}”: ${format(actual)}, ${format(limit)} allowed.`
  return html`${sentence}${when}`
}

/** The searchable text of a request's outcome. */
export function outcomeText(
  { status, build, approvalId }: AuditEntry,
  coin: Coin | undefined,
  names: Names,
): string {
  const refusal = build?.refusal
  const reasons = refusal?.broken.map(({ rule, limit, actual }) => {
    const text = (value: string) => plainText(rule, value, coin, names)
    if (rule === 'validators') return `Rule “validators”: stake may not go to ${text(actual)}.`
    return WHOLE[rule] ?? `Rule “${RULE_NAMES[rule] ?? rule}”: ${text(actual)}, ${text(limit)} allowed.`
  })
  return [
    outcomeWord(status),
    ...(refusal ? [inPlainWords(refusal.message)] : []),
    ...(reasons ?? []),
    ...(approvalId === null ? [] : [approvalWord(status)]),
  ].join(' ')
}

function plainText(rule: string, text: string, coin: Coin | undefined, names: Names): string {
  if (rule === 'maxPerTx' || rule === 'maxPerWindow') return coin ? inTokens(text, coin) : text
  if (rule === 'maxShare' || rule === 'maxCommission') return inPercent(text)
  if (rule === 'validators') return names.get(text) ?? text
  return rule === 'hours' ? momentText(text) : localText(text)
}

const inTokens = (text: string, { decimals, symbol }: Coin): string =>
  text.replaceAll(NUMBER, (units) => `${formatExactTokens(BigInt(units), decimals)} ${symbol}`)

const inPercent = (text: string): string =>
  text.replaceAll(NUMBER, (share) => formatExactShare(Number(share)))

const NUMBER = /(?<![\w.])\d+(?:\.\d+)?(?!\w)/g
const ADDRESS = /0x[0-9a-f]{64}/

/** Writes limits and values of a rule in its unit, and validators by their names. */
function useRuleFormat(rule: string): (text: string) => View {
  const network = useNetwork().data
  const names = namesOf(useValidators().data?.data ?? [])
  if (rule === 'maxPerTx' || rule === 'maxPerWindow')
    return (text) => (network ? inTokens(text, network) : text)
  if (rule === 'maxShare' || rule === 'maxCommission') return inPercent
  if (rule === 'validators') return (text) => validatorText(text, names)
  if (rule === 'hours') return momentText
  return (text) =>
    ADDRESS.test(text) ? html`<span class="id" data-whole="true">${text}</span>` : localText(text)
}

const localText = (text: string): string =>
  text.replaceAll(NUMBER, (number) => formatExactNumber(Number(number)))

const momentText = (text: string): string =>
  /^\d{4}-\d\d-\d\dT/.test(text) ? formatDateTime(Date.parse(text)) : text
