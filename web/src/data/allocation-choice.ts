import type { Input } from '@stakewright/client'
import type { Network } from './queries.ts'

/** What a person wants allocated, as the address keeps it. */
export type Choice = {
  readonly amount: bigint
  readonly maxValidators: number
  readonly riskAversion: number
  readonly maxShare: number
  readonly exclude: readonly string[]
}

/** The slider covers six orders of magnitude: 10 to this many tokens, by equal ratios. */
export const SLIDER = { from: 2, to: 8, steps: 240 } as const
const DEFAULTS = { maxValidators: 5, riskAversion: 10, maxShare: 1 } as const
const DEFAULT_TOKENS = 10_000_000n

const unitOf = ({ decimals }: Network) => 10n ** BigInt(decimals)

export function readChoice(query: URLSearchParams, network: Network): Choice {
  const text = query.get('amount') ?? ''
  const amount = /^[1-9][0-9]{0,19}$/.test(text) ? BigInt(text) : DEFAULT_TOKENS * unitOf(network)
  return {
    amount,
    maxValidators: Math.round(numberIn(query, 'validators', 1, 50, DEFAULTS.maxValidators)),
    riskAversion: numberIn(query, 'risk', 0, 1000, DEFAULTS.riskAversion),
    maxShare: numberIn(query, 'share', 0.01, 1, DEFAULTS.maxShare),
    exclude: (query.get('exclude') ?? '').split(',').filter((id) => /^0x[0-9a-f]{1,64}$/.test(id)),
  }
}

function numberIn(
  query: URLSearchParams,
  name: string,
  least: number,
  most: number,
  otherwise: number,
): number {
  const text = query.get(name)
  const value = Number(text)
  return text === null || !Number.isFinite(value) || value < least || value > most ? otherwise : value
}

/** What differs from the defaults goes into the address. */
export const choiceQuery = (
  choice: Choice,
  network: Network,
): Readonly<Record<string, string | undefined>> => ({
  amount: choice.amount === DEFAULT_TOKENS * unitOf(network) ? undefined : String(choice.amount),
  validators: choice.maxValidators === DEFAULTS.maxValidators ? undefined : String(choice.maxValidators),
  risk: choice.riskAversion === DEFAULTS.riskAversion ? undefined : String(choice.riskAversion),
  share: choice.maxShare === DEFAULTS.maxShare ? undefined : String(choice.maxShare),
  exclude: choice.exclude.length === 0 ? undefined : choice.exclude.join(','),
})

export function toInput({
  amount,
  maxValidators,
  riskAversion,
  maxShare,
  exclude,
}: Choice): Input<'allocate'> {
  return {
    amount: String(amount),
    maxValidators,
    riskAversion,
    ...(maxShare < 1 && { maxShare }),
    ...(exclude.length > 0 && { exclude: [...exclude] }),
    explain: true,
  }
}

/** The slider's place of an amount, and back; rounded to three digits, as a person would say it. */
export function sliderPlace(amount: bigint, { decimals }: Network): number {
  const power = Math.log10(Math.max(1, Number(amount))) - decimals
  const place = ((power - SLIDER.from) / (SLIDER.to - SLIDER.from)) * SLIDER.steps
  return Math.round(Math.min(SLIDER.steps, Math.max(0, place)))
}

export function sliderAmount(place: number, network: Network): bigint {
  const power = SLIDER.from + (place / SLIDER.steps) * (SLIDER.to - SLIDER.from)
  return BigInt(Math.round(Number((10 ** power).toPrecision(3)))) * unitOf(network)
}
