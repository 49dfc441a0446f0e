import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../../data/queries.ts'
import { formatTokens, MOST_UNITS, parseTokens, tokensAsInput } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { Field, inputValue } from './field.ts'

type Props = {
  readonly label: string
  readonly hint?: View
  readonly amount: bigint
  readonly least: bigint
  readonly network: Network
  readonly onChange: (amount: bigint) => void
}

/** An amount typed in tokens. What was typed stays; the caller hears of it when it is an amount. */
export function AmountField({ label, hint, amount, least, network, onChange }: Props): View {
  const { decimals, symbol } = network
  const [text, setText] = useState(tokensAsInput(amount, decimals))
  useEffect(() => {
    if (parseTokens(text, decimals) !== amount) setText(tokensAsInput(amount, decimals))
  }, [amount])
  const typed = parseTokens(text, decimals)
  const problem =
    typed === undefined
      ? `Write an amount such as 2500.5, with at most ${decimals} decimals.`
      : typed < least
        ? `The smallest stake is ${formatTokens(least, decimals)} ${symbol}.`
        : typed > MOST_UNITS
          ? `That is more than the chain can count. Write at most ${formatTokens(MOST_UNITS, decimals)} ${symbol}.`
          : undefined
  const change = (event: Event) => {
    const next = inputValue(event)
    setText(next)
    const value = parseTokens(next, decimals)
    if (value !== undefined && value >= least && value <= MOST_UNITS) onChange(value)
  }
  return h(Field, {
    label,
    hint: problem ? undefined : hint,
    problem,
    children: (props) =>
      html`<span class="amount-field"><input ...${props} class="input" inputmode="decimal" autocomplete="off" value=${text} onInput=${change} /><span class="unit">${symbol}</span></span>`,
  })
}
