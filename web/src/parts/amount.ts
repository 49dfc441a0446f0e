import { useNetwork } from '../data/queries.ts'
import { formatExactTokens, formatTokens, formatUnits } from './format.ts'
import { h, html, type View } from './html.ts'

type AmountProps = { readonly value: string | bigint; readonly unit?: boolean }

/** An amount to read: rounded tokens with their unit; the exact figure and the smallest units on hover. */
export const Amount = (props: AmountProps): View => h(InTokens, { ...props, format: formatTokens })

/** An amount that a user confirms or that limits an agent: exact tokens; the smallest units on hover. */
export const ExactAmount = (props: AmountProps): View => h(InTokens, { ...props, format: formatExactTokens })

function InTokens({
  value,
  unit = true,
  format,
}: AmountProps & { readonly format: (amount: bigint, decimals: number) => string }): View {
  const { data } = useNetwork()
  if (!data) return html`<span class="skeleton">0,000.0 XXX</span>`
  const amount = BigInt(value)
  const whole = formatExactTokens(amount, data.decimals)
  const title = `${whole} ${data.symbol} = ${formatUnits(amount)} smallest units`
  return html`<span class="number" title=${title}>${format(amount, data.decimals)}${unit && html`<span class="faint"> ${data.symbol}</span>`}</span>`
}

/** The same amount in the smallest units of the token, which have no fractions. */
export const SmallestUnits = ({ value }: { readonly value: string }): View =>
  html`<span class="number">${formatUnits(BigInt(value))} smallest ${BigInt(value) === 1n ? 'unit' : 'units'}</span>`
