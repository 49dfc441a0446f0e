import { LIMITS } from '@stakewright/contract/limits'
import { numberFrom, readChainId, readParts, readUnits, wholeFrom } from '../address/read-parts.ts'
import type { Network, Validator } from '../queries.ts'
import { parseGroups } from '../stake-groups.ts'
import { type Choice, DEFAULTS, defaultAmount } from './choice.ts'

type ReadChoice = {
  readonly choice: Choice
  /** The amount as the URL has it, if that is not a valid amount. */
  readonly unreadAmount: string | undefined
  /** Sentences about other query parameters that could not be read: the choice has their defaults. */
  readonly unread: readonly string[]
}

/** Reads a choice from the query of the page's URL. */
export function readChoice(query: URLSearchParams, network: Network): ReadChoice {
  const { read, text, unread } = readParts(query)
  const amountText = text('amount')
  const amount = amountText === undefined ? defaultAmount(network) : readUnits(amountText)
  const most = LIMITS.allocationValidators.max
  const choice: Choice = {
    amount: amount ?? defaultAmount(network),
    maxValidators: read('validators', wholeFrom(1, most), DEFAULTS.maxValidators, `it takes 1 to ${most}`),
    riskAversion: read('risk', numberFrom(0, 1000), DEFAULTS.riskAversion, 'it takes 0 to 1000'),
    maxShare: read('share', numberFrom(0.01, 1), DEFAULTS.maxShare, 'it takes 0.01 to 1'),
    minScore: read('score', numberFrom(0, 100), DEFAULTS.minScore, 'it takes 0 to 100'),
    maxCommission: read('commission', numberFrom(0, 1), DEFAULTS.maxCommission, 'it takes 0 to 1'),
    liquid: read('liquid', readUnits, 0n, 'it takes smallest units'),
    within: read('within', wholeFrom(0, 2), DEFAULTS.within, 'it takes 0 to 2 epochs'),
    owner: read('owner', readChainId, '', 'it takes an address such as 0x12ab'),
    groups: text('groups')?.trim() ?? '',
    exclude: readExcluded(text('exclude') ?? ''),
  }
  return { choice, unread, unreadAmount: amount === undefined ? (amountText ?? '') : undefined }
}

/** Keeps an unreadable id as it was written: the page shows it until the user removes it. */
const readExcluded = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .filter((id) => id !== '')
      .map((id) => readChainId(id) ?? id),
  ),
]

/** The excluded ids that no validator has; only malformed ones while the validators are not loaded. */
export const unknownExcluded = (
  { exclude }: Choice,
  validators: readonly Pick<Validator, 'id'>[],
): readonly string[] =>
  exclude.filter((text) =>
    validators.length === 0 ? readChainId(text) === undefined : !validators.some(({ id }) => id === text),
  )

/** Whether a request can be sent for the choice: groups and exclusions name validators, which must be loaded first. */
export function isAskable(choice: Choice, network: Network, validators: readonly Validator[]): boolean {
  const { amount, groups, exclude } = choice
  if (amount < BigInt(network.minStakeAmount)) return false
  if (groups === '' && exclude.length === 0) return true
  return validators.length > 0 && parseGroups(groups, validators).kind === 'ok'
}

/** Limits with which no split holds the whole amount, and the nearest ones that do. */
export type Infeasible = {
  readonly maxValidators: number
  readonly maxShare: number
  readonly enough: { readonly maxValidators: number | undefined; readonly maxShare: number }
}

export function infeasibilityOf({ maxValidators, maxShare }: Choice): Infeasible | undefined {
  // Shares such as 0.15 are not exact.
  const needed = Math.ceil(1 / maxShare - 1e-9)
  if (needed <= maxValidators) return undefined
  const isMany = needed > LIMITS.allocationValidators.max
  const share = Math.min(1, Math.ceil((1 / maxValidators) * 20 - 1e-9) / 20)
  return { maxValidators, maxShare, enough: { maxValidators: isMany ? undefined : needed, maxShare: share } }
}
