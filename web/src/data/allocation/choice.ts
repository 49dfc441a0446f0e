import type { Input } from '@stakewright/client'
import type { Network, Validator } from '../queries.ts'
import { parseGroups } from '../stake-groups.ts'

/** What a person wants allocated, as the address keeps it. */
export type Choice = {
  readonly amount: bigint
  readonly maxValidators: number
  readonly riskAversion: number
  readonly maxShare: number
  readonly exclude: readonly string[]
  readonly minScore: number
  /** A fraction. */
  readonly maxCommission: number
  /** What must be at hand, and within how many epochs. */
  readonly liquid: bigint
  readonly within: number
  /** The address whose stake counts as held already; empty: none. */
  readonly owner: string
  /** As it was written. */
  readonly groups: string
}

/** The slider covers six orders of magnitude: 10 to this many tokens, by equal ratios. */
export const SLIDER = { from: 2, to: 8, steps: 240 } as const
const DEFAULTS = {
  maxValidators: 5,
  riskAversion: 10,
  maxShare: 1,
  minScore: 0,
  maxCommission: 1,
  within: 0,
} as const
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
    minScore: numberIn(query, 'score', 0, 100, DEFAULTS.minScore),
    maxCommission: numberIn(query, 'commission', 0, 1, DEFAULTS.maxCommission),
    liquid: /^[1-9][0-9]{0,19}$/.test(query.get('liquid') ?? '') ? BigInt(query.get('liquid') ?? '0') : 0n,
    within: Math.round(numberIn(query, 'within', 0, 2, DEFAULTS.within)),
    owner: /^0x[0-9a-f]{1,64}$/i.exec(query.get('owner') ?? '')?.[0] ?? '',
    groups: query.get('groups') ?? '',
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
  score: choice.minScore === DEFAULTS.minScore ? undefined : String(choice.minScore),
  commission: choice.maxCommission === DEFAULTS.maxCommission ? undefined : String(choice.maxCommission),
  liquid: choice.liquid === 0n ? undefined : String(choice.liquid),
  within: choice.within === DEFAULTS.within ? undefined : String(choice.within),
  owner: choice.owner === '' ? undefined : choice.owner,
  groups: choice.groups.trim() === '' ? undefined : choice.groups,
  exclude: choice.exclude.length === 0 ? undefined : choice.exclude.join(','),
})

export function toInput(choice: Choice, validators: readonly Validator[]): Input<'allocate'> {
  const { amount, maxValidators, riskAversion, maxShare, exclude, minScore, maxCommission } = choice
  const parsed = parseGroups(choice.groups, validators)
  const groups = parsed.kind === 'ok' ? parsed.groups : []
  return {
    amount: String(amount),
    maxValidators,
    riskAversion,
    ...(maxShare < 1 && { maxShare }),
    ...(exclude.length > 0 && { exclude: [...exclude] }),
    ...(minScore > 0 && { minScore }),
    ...(maxCommission < 1 && { maxCommission }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(choice.liquid > 0n && { keepLiquid: { amount: String(choice.liquid), withinEpochs: choice.within } }),
    ...(choice.owner !== '' && { owner: choice.owner }),
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
