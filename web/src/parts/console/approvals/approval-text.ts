import type { Approval } from '../../../data/account/approvals.ts'
import { ExactAmount } from '../../amount.ts'
import { badge, type Tone } from '../../badge.ts'
import { formatExactTokens } from '../../format.ts'
import { h, html, type View } from '../../html.ts'
import type { Coin } from '../../typed/amount.ts'
import { isolateName } from '../../validator-link.ts'
import { type Names, validatorText } from '../validator-names.ts'

type Item = Pick<Approval['items'][number], 'action' | 'amount' | 'validatorId'>

const VERBS: Readonly<Record<Item['action'], readonly [string, string]>> = {
  stake: ['stake', 'with'],
  unstake: ['unstake', 'from'],
  withdraw: ['withdraw', 'from'],
  join: ['join tokens of', 'with'],
}

/** One step in words: "stake 10 SUI with Mossy Ridge". */
export const itemText = ({ action, amount, validatorId }: Item, names: Names): View =>
  html`${VERBS[action][0]} ${h(ExactAmount, { value: amount })} ${VERBS[action][1]} ${validatorText(validatorId, names)}`

/** The steps of a wished transaction, and the amount they move together. */
type Wished = { readonly items: readonly Item[]; readonly amount: string }

/** The transaction as plain text, for accessible names: each button says which of several approvals it decides. */
export function wishWords({ items, amount }: Wished, names: Names, { decimals, symbol }: Coin): string {
  const tokens = (units: string) => `${formatExactTokens(BigInt(units), decimals)} ${symbol}`
  const [only, ...others] = items
  if (!only || others.length > 0) return `${items.length} things at once, moving ${tokens(amount)}`
  const [verb, where] = VERBS[only.action]
  return `${verb} ${tokens(only.amount)} ${where} ${isolateName(names.get(only.validatorId) ?? only.validatorId)}`
}

/** The transaction as the end of a sentence. */
export function wishText({ items, amount }: Wished, names: Names): View {
  const [only, ...others] = items
  if (only && others.length === 0) return itemText(only, names)
  return html`do ${String(items.length)} things at once, moving ${h(ExactAmount, { value: amount })} in all`
}

const TONES: Readonly<Record<Approval['state'], Tone>> = {
  waiting: 'attention',
  approved: 'good',
  refused: 'bad',
  used: 'good',
  expired: 'neutral',
}
const STATE_TEXTS: Readonly<Record<Approval['state'], string>> = {
  waiting: 'waits for you',
  approved: 'approved',
  refused: 'refused',
  used: 'approved and built',
  expired: 'expired',
}
export const approvalBadge = (state: Approval['state']): View => badge(STATE_TEXTS[state], TONES[state])

/** What each state means for the owner. */
export const OUTCOME_TEXTS: Readonly<Record<Approval['state'], string>> = {
  waiting: 'Nothing is built until you approve.',
  approved:
    'The agent may build exactly this once, as long as the approval lasts. Until then you may still refuse.',
  refused: 'Nothing was built, and this stays refused. The agent can ask again.',
  used: 'It was built once with your approval. Whether it was signed and sent, the chain shows.',
  expired: 'Nobody used it in time, so nothing was built. The agent can ask again.',
}
