import type { Client } from '@stakewright/client'
import { useEffect, useState } from 'preact/hooks'
import { type Choice, toInput } from '../data/allocation-choice.ts'
import type { Network } from '../data/queries.ts'
import { call } from '../data/service.ts'
import { formatPercent, formatPoints, formatTokens } from './format.ts'
import { html, type View } from './html.ts'
import { describeError } from './state.ts'

type Variant = { readonly name: string; readonly choice: Choice }
type Result = { readonly name: string; readonly apy: number; readonly validators: number }
type Props = { readonly choice: Choice; readonly network: Network; readonly apy: number }

const MOST = 2n ** 64n - 1n

/** How the answer changes with the question. Five calls, so only when it is asked for. */
export function Sensitivity({ choice, network, apy }: Props): View {
  const [results, setResults] = useState<readonly Result[] | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  const key = JSON.stringify(toInput(choice))
  useEffect(() => {
    setResults(undefined)
    setError(undefined)
  }, [key])
  const run = () => {
    Promise.all(variantsOf(choice, network).map(ask)).then(setResults, setError)
  }
  if (error !== undefined) return html`<p class="lede">${describeError(error)}</p>`
  if (!results)
    return html`<p class="lede">Asks again with ten times as much, a tenth, other risk and one validator more or less.</p><p style=${{ marginTop: '12px' }}><button type="button" class="button" onClick=${run}>Show sensitivity</button></p>`
  return html`<table class="table-plain" style=${{ marginTop: '8px' }}><caption class="visually-hidden">Sensitivity</caption><thead><tr><th scope="col">Change</th><th scope="col" data-align="end">APY</th><th scope="col" data-align="end">Difference</th><th scope="col" data-align="end">Validators</th></tr></thead>
    <tbody>${results.map((one) => html`<tr><td>${one.name}</td><td data-align="end">${formatPercent(one.apy)}</td><td data-align="end">${formatPoints(one.apy - apy)}</td><td data-align="end">${one.validators}</td></tr>`)}</tbody></table>`
}

function variantsOf(choice: Choice, network: Network): readonly Variant[] {
  const least = BigInt(network.minStakeAmount)
  const text = (amount: bigint) => `${formatTokens(amount, network.decimals)} ${network.symbol}`
  const tenth = choice.amount / 10n
  const variants: Variant[] = [
    { name: text(choice.amount * 10n), choice: { ...choice, amount: choice.amount * 10n } },
    { name: text(tenth), choice: { ...choice, amount: tenth } },
    { name: 'yield alone (risk 0)', choice: { ...choice, riskAversion: 0 } },
    { name: 'one validator more', choice: { ...choice, maxValidators: choice.maxValidators + 1 } },
  ]
  if (choice.maxValidators > 1)
    variants.push({
      name: 'one validator less',
      choice: { ...choice, maxValidators: choice.maxValidators - 1 },
    })
  return variants.filter((one) => one.choice.amount >= least && one.choice.amount <= MOST)
}

async function ask({ name, choice }: Variant): Promise<Result> {
  const { totalProjectedApy, allocations } = await call((client: Client) => client.allocate(toInput(choice)))
  return { name, apy: totalProjectedApy, validators: allocations.length }
}
