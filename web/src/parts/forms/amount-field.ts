import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Network } from '../../data/queries.ts'
import { formatExactTokens } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { readAsText, readTokens, tokensAsInput } from '../typed/amount.ts'
import { Field, inputValue } from './field.ts'

type Props = {
  readonly label: string
  readonly hint?: View
  readonly amount: bigint
  /** Why there is no amount yet, where the caller has none: the field is empty then. */
  readonly unread?: string | undefined
  readonly least: bigint
  readonly network: Network
  readonly onChange: (amount: bigint) => void
}

/**
 * An amount typed in tokens. What was typed stays; the caller hears of it when it is an amount. Until then the
 * caller holds an older one, so the form around it cannot be submitted.
 */
export function AmountField({ label, hint, amount, unread, least, network, onChange }: Props): View {
  const { decimals, symbol } = network
  const [text, setText] = useState(unread === undefined ? tokensAsInput(amount, decimals) : '')
  const typed = readTokens(text, network)
  useEffect(() => {
    if (unread !== undefined) setText('')
    else if (typed.kind === 'problem' || typed.amount !== amount) setText(tokensAsInput(amount, decimals))
  }, [amount, unread])
  const problem =
    text === '' && unread !== undefined
      ? unread
      : typed.kind === 'problem'
        ? typed.text
        : tooLittle(typed.amount, least, network)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem])
  const change = (event: Event) => {
    const next = inputValue(event)
    setText(next)
    const read = readTokens(next, network)
    if (read.kind === 'amount' && read.amount >= least) onChange(read.amount)
  }
  return h(Field, {
    label,
    hint: problem ? undefined : (readAsText(typed, network) ?? hint),
    problem,
    children: (props) =>
      html`<span class="amount-field"><input ...${props} ref=${input} class="input" inputmode="decimal" autocomplete="off" value=${text} onInput=${change} /><span class="unit">${symbol}</span></span>`,
  })
}

const tooLittle = (amount: bigint, least: bigint, { decimals, symbol }: Network): string | undefined =>
  amount < least ? `The smallest stake is ${formatExactTokens(least, decimals)} ${symbol}.` : undefined
