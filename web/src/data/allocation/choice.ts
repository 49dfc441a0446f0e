import type { Input } from '@stakewright/client'
import type { Network, Validator } from '../queries.ts'
import { parseGroups } from '../stake-groups.ts'

/** The input of an allocation, as stored in the URL. */
export type Choice = {
  readonly amount: bigint
  readonly maxValidators: number
  readonly riskAversion: number
  readonly maxShare: number
  readonly exclude: readonly string[]
  readonly minScore: number
  /** A fraction. */
  readonly maxCommission: number
  /** The amount that must be available, and within how many epochs. */
  readonly liquid: bigint
  readonly within: number
  /** The address whose stake counts as held already; empty: none. */
  readonly owner: string
  /** The text as the user wrote it. */
  readonly groups: string
}

/** A logarithmic slider: from 10^2 to 10^8 tokens. */
export const SLIDER = { from: 2, to: 8, steps: 240 } as const
export const DEFAULTS = {
  maxValidators: 5,
  riskAversion: 10,
  maxShare: 1,
  minScore: 0,
  maxCommission: 1,
  within: 0,
} as const
const DEFAULT_TOKENS = 10_000_000n
export const defaultAmount = (network: Network): bigint => DEFAULT_TOKENS * unitOf(network)

const unitOf = ({ decimals }: Network) => 10n ** BigInt(decimals)

type Written = {
  readonly [Key in keyof Choice]: readonly [
    name: string,
    text: (value: Choice[Key], network: Network) => string | undefined,
  ]
}

const unless =
  <T extends number>(usual: T) =>
  (value: number): string | undefined =>
    value === usual ? undefined : String(value)

/** The query parameters of a choice; defaults are left out. */
const WRITTEN: Written = {
  amount: ['amount', (amount, network) => (amount === defaultAmount(network) ? undefined : String(amount))],
  maxValidators: ['validators', unless(DEFAULTS.maxValidators)],
  riskAversion: ['risk', unless(DEFAULTS.riskAversion)],
  maxShare: ['share', unless(DEFAULTS.maxShare)],
  minScore: ['score', unless(DEFAULTS.minScore)],
  maxCommission: ['commission', unless(DEFAULTS.maxCommission)],
  liquid: ['liquid', (liquid) => (liquid === 0n ? undefined : String(liquid))],
  within: ['within', unless(DEFAULTS.within)],
  owner: ['owner', (owner) => owner],
  groups: ['groups', (groups) => groups],
  exclude: ['exclude', (exclude) => exclude.join(',')],
}

/** Sets these query parameters and keeps all others, including unreadable ones. */
export const choiceQuery = (
  parts: Partial<Choice>,
  network: Network,
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(keysOf(parts).map((key) => writtenPart(key, parts, network)))

function writtenPart<Key extends keyof Choice>(key: Key, parts: Partial<Choice>, network: Network) {
  const [name, text] = WRITTEN[key]
  const value: Choice[Key] | undefined = parts[key]
  return [name, value === undefined ? undefined : text(value, network)] as const
}

const keysOf = (parts: Partial<Choice>) =>
  Object.keys(parts).filter((key): key is keyof Choice => key in WRITTEN)

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

/** Converts between an amount and the slider's position; amounts are rounded to three digits. */
export function sliderPlace(amount: bigint, { decimals }: Network): number {
  const power = Math.log10(Math.max(1, Number(amount))) - decimals
  const place = ((power - SLIDER.from) / (SLIDER.to - SLIDER.from)) * SLIDER.steps
  return Math.round(Math.min(SLIDER.steps, Math.max(0, place)))
}

export function sliderAmount(place: number, network: Network): bigint {
  const power = SLIDER.from + (place / SLIDER.steps) * (SLIDER.to - SLIDER.from)
  return BigInt(Math.round(Number((10 ** power).toPrecision(3)))) * unitOf(network)
}
