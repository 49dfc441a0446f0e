import { useNetwork } from '../data/queries.ts'
import { formatExactTokens, formatTokens, formatUnits } from './format.ts'
import { html, type View } from './html.ts'

/** An amount in tokens with its unit; the exact figure and the smallest units on hover. */
export function Amount({
  value,
  unit = true,
}: {
  readonly value: string | bigint
  readonly unit?: boolean
}): View {
  const { data } = useNetwork()
  if (!data) return html`<span class="skeleton">0,000.0 XXX</span>`
  const amount = BigInt(value)
  const exact = `${formatExactTokens(amount, data.decimals)} ${data.symbol} = ${formatUnits(amount)} smallest units`
  return html`<span class="number" title=${exact}>${formatTokens(amount, data.decimals)}${unit && html`<span class="faint"> ${data.symbol}</span>`}</span>`
}

/** The same amount in the smallest units of the token, which have no fractions. */
export const SmallestUnits = ({ value }: { readonly value: string }): View =>
  html`<span class="number">${formatUnits(BigInt(value))} smallest ${BigInt(value) === 1n ? 'unit' : 'units'}</span>`
