import { useNetwork } from '../data/queries.ts'
import { formatExactTokens, formatTokens, formatUnits } from './format.ts'
import { html, type View } from './html.ts'

/** An amount in tokens with its unit, short or `exact`; the exact figure and the smallest units on hover. */
export function Amount({
  value,
  unit = true,
  exact = false,
}: {
  readonly value: string | bigint
  readonly unit?: boolean
  readonly exact?: boolean
}): View {
  const { data } = useNetwork()
  if (!data) return html`<span class="skeleton">0,000.0 XXX</span>`
  const amount = BigInt(value)
  const whole = formatExactTokens(amount, data.decimals)
  const title = `${whole} ${data.symbol} = ${formatUnits(amount)} smallest units`
  return html`<span class="number" title=${title}>${exact ? whole : formatTokens(amount, data.decimals)}${unit && html`<span class="faint"> ${data.symbol}</span>`}</span>`
}

/** The same amount in the smallest units of the token, which have no fractions. */
export const SmallestUnits = ({ value }: { readonly value: string }): View =>
  html`<span class="number">${formatUnits(BigInt(value))} smallest ${BigInt(value) === 1n ? 'unit' : 'units'}</span>`
