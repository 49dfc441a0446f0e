import { type Counting, lastEpochOf, movedBy, type Reservation } from '../../../data/policy/windows.ts'
import { ExactAmount } from '../../amount.ts'
import { badge, type Tone } from '../../badge.ts'
import { formatCount, formatDateTime } from '../../format.ts'
import { h, html, type View } from '../../html.ts'
import { wishText } from '../approvals/approval-text.ts'
import { WINDOW_TEXTS } from '../policy/rule-text.ts'
import type { Names } from '../validator-names.ts'

const STATES: Readonly<Record<Reservation['state'], readonly [text: string, tone: Tone]>> = {
  open: ['may be signed', 'attention'],
  expired: ['not seen on the chain', 'neutral'],
  carriedOut: ['carried out', 'good'],
}

export const stateBadge = ({ state }: Reservation): View => badge(...STATES[state])

/** The steps of the transaction, and the amount they move together. */
export const wholeOf = ({ items }: Reservation) => ({
  items,
  amount: String(movedBy({ items }, ['stake', 'unstake', 'withdraw', 'join'])),
})

/** The windows in which a reservation counts, each with its end. */
export function countingText(one: Reservation, counting: readonly Counting[]): View {
  if (counting.length === 0)
    return `It counts in no window. Until the end of epoch ${formatCount(lastEpochOf(one))} it may still be executed, and holds the staked tokens that it takes from.`
  return html`It counts ${counting.map(({ window, amount, until }, index) => html`${index > 0 && ', and '}${h(ExactAmount, { value: amount })} ${WINDOW_TEXTS[window]} until ${formatDateTime(until)}`)}.`
}

/** What releasing it does, and what it cannot do. */
export function releaseText(one: Reservation, counting: readonly Counting[], names: Names): View {
  const room =
    counting.length === 0
      ? 'It counts no more, and what it holds is free at once.'
      : html`${counting.map(({ window, amount }, index) => html`${index > 0 && ', and '}${h(ExactAmount, { value: amount })} ${WINDOW_TEXTS[window]}`)} may be built again at once.`
  const look =
    one.sender === null
      ? 'It was built without a sender, so the chain cannot be asked: your word counts.'
      : 'The chain is asked first: if it shows this transaction, nothing is released.'
  return html`This releases what was built to ${wishText(wholeOf(one), names)}: ${room} ${look} <strong>Do it only if the transaction will not be signed:</strong> releasing does not take it back, and if somebody signs it until the end of epoch ${formatCount(lastEpochOf(one))}, it is executed without being counted.`
}
