import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Network } from '../../data/queries.ts'
import { formatExactTokens } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { readTokens, tokensAsInput } from '../typed/amount.ts'
import { Field, inputValue } from './field.ts'
import { type Meaning, useTypedText } from './typed-text.ts'

type Props = {
  readonly label: string
  readonly hint?: View
  readonly amount: bigint
  /** Why the caller has no amount yet: the field is then empty. */
  readonly unread?: string | undefined
  readonly least: bigint
  readonly network: Network
  readonly onChange: (amount: bigint) => void
}

/**
 * An amount typed in tokens. The text stays as typed; `onChange` is called for valid amounts only. Until then the caller
 * has an older amount, so the form around it cannot be submitted, and a lab around it does not answer.
 */
export function AmountField({ label, hint, amount, unread, least, network, onChange }: Props): View {
  const { decimals, symbol } = network
  const { text, meaning, type } = useTypedText<bigint | undefined>(
    unread === undefined ? amount : undefined,
    (typed) => meaningOf(typed, least, network),
    (value) => (value === undefined ? '' : tokensAsInput(value, decimals)),
    (value) => value !== undefined && onChange(value),
  )
  const problem =
    text === '' && unread !== undefined ? unread : meaning.kind === 'problem' ? meaning.text : undefined
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem])
  return h(Field, {
    label,
    hint: meaning.kind === 'problem' ? problem === undefined && hint : (meaning.note ?? hint),
    problem,
    children: (props) =>
      html`<span class="amount-field"><input ...${props} ref=${input} class="input" inputmode="decimal" autocomplete="off" value=${text} onInput=${(event: Event) => type(inputValue(event))} /><span class="unit">${symbol}</span></span>`,
  })
}

function meaningOf(text: string, least: bigint, network: Network): Meaning<bigint> {
  const typed = readTokens(text, network)
  if (typed.kind === 'problem') return typed
  const [value, note] = typed.kind === 'noted' ? [typed.readAs, typed.note] : [typed.amount]
  if (value >= least) return { kind: 'value', value, note }
  const { decimals, symbol } = network
  return { kind: 'problem', text: `The smallest stake is ${formatExactTokens(least, decimals)} ${symbol}.` }
}
